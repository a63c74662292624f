// Saved views, the counts beside the lists, and the two lists and details through the panel.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/kit/ids.ts';
import { sql } from '../../src/kit/sql.ts';
import { type TestService, testService } from '../support/service.ts';
import { Browser, newPerson, signedIn } from './people.ts';

let service: TestService;
let accountId: string;
let owner: Browser;
let viewer: Browser;
let stranger: Browser;

beforeAll(async () => {
  service = await testService();
  accountId = await service.account();
  owner = await signedIn(service, await newPerson(service, { accountId }));
  viewer = await signedIn(service, await newPerson(service, { accountId, role: 'viewer' }));
  stranger = await signedIn(service, await newPerson(service, { accountId: await service.account() }));
});
afterAll(() => service.close());

const save = (by: Browser, body: unknown) => by.api('views', { method: 'POST', body });
const viewsOf = async (by: Browser, query = '?screen=vehicles') => (await by.api(`views${query}`)).json.data;

describe('saved views', () => {
  test('are saved, listed by name, renamed, updated and deleted, and each action is audited', async () => {
    const saved = await save(owner, { screen: 'vehicles', name: '  Şık   araçlar ', query: 'status=Stokta&brand=BMW' });
    expect(saved.status).toBe(200);
    const { id } = saved.json.data;
    expect(saved.json.data).toEqual({ id, name: 'Şık araçlar', query: 'status=Stokta&brand=BMW' });
    await save(owner, { screen: 'vehicles', name: 'Aaa', query: '' });
    await save(owner, { screen: 'customers', name: 'Aaa', query: 'risk_level=high' });
    expect((await viewsOf(owner)).map(({ name }: { name: string }) => name)).toEqual(['Aaa', 'Şık araçlar']);

    const renamed = await owner.api(`views/${id}`, { method: 'PATCH', body: { name: 'Bütün BMW’ler' } });
    expect(renamed.json.data).toEqual({ id, name: 'Bütün BMW’ler', query: 'status=Stokta&brand=BMW' });
    await owner.api(`views/${id}`, { method: 'PATCH', body: { query: 'brand=BMW' } });
    expect((await viewsOf(owner)).at(-1)).toEqual({ id, name: 'Bütün BMW’ler', query: 'brand=BMW' });

    expect((await owner.api(`views/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect(await viewsOf(owner)).toHaveLength(1);
    expect((await owner.api(`views/${id}`, { method: 'DELETE' })).status).toBe(404);

    const acts = await service.database.onPlatform('read', (db) =>
      db.rows<{ action: string; before: { name: string } | null; after: { name: string } | null }>(
        sql`select action, before, after from audit_log where target = ${id} order by created_at, id`,
      ),
    );
    expect(acts.map(({ action }) => action)).toEqual(['view.saved', 'view.changed', 'view.changed', 'view.deleted']);
    expect(acts[1]).toMatchObject({ before: { name: 'Şık araçlar' }, after: { name: 'Bütün BMW’ler' } });
  });

  test('a name is unique per person and screen', async () => {
    const view = { screen: 'vehicles', name: 'Bir kez', query: '' };
    expect((await save(owner, view)).status).toBe(200);
    const again = await save(owner, view);
    expect(again.status).toBe(422);
    expect(again.json.error.details).toEqual([expect.objectContaining({ field: 'name', code: 'in_use' })]);
    expect((await save(viewer, view)).status).toBe(200);
    expect((await save(owner, { ...view, screen: 'customers' })).status).toBe(200);
    const other = (await save(owner, { ...view, name: 'İki kez' })).json.data;
    const renamed = await owner.api(`views/${other.id}`, { method: 'PATCH', body: { name: 'Bir kez' } });
    expect(renamed.status).toBe(422);
  });

  test('belong to one person in one account', async () => {
    const { id } = (await save(owner, { screen: 'vehicles', name: 'Yalnız benim', query: 'x=1' })).json.data;
    for (const other of [viewer, stranger]) {
      expect(JSON.stringify(await viewsOf(other))).not.toContain('Yalnız benim');
      expect((await other.api(`views/${id}`, { method: 'PATCH', body: { name: 'x' } })).status).toBe(404);
      expect((await other.api(`views/${id}`, { method: 'DELETE' })).status).toBe(404);
    }
    expect(JSON.stringify(await viewsOf(owner))).toContain('Yalnız benim');
  });

  test('refuse an invalid view', async () => {
    const bad = [
      {},
      { screen: 'nothing', name: 'x', query: '' },
      { screen: 'vehicles', name: ' ', query: '' },
      { screen: 'vehicles', name: 'x'.repeat(61), query: '' },
      { screen: 'vehicles', name: 'x', query: 'x'.repeat(2001) },
      { screen: 'vehicles', name: 'x', query: 'a\u0000b' },
      { screen: 'vehicles', name: 'x', query: '', person_id: newId() },
    ];
    for (const body of bad) expect((await save(owner, body)).status, JSON.stringify(body).slice(0, 80)).toBe(422);
    expect((await owner.api('views?screen=nothing')).status).toBe(400);
  });

  test('are limited to thirty per screen', async () => {
    const person = await signedIn(service, await newPerson(service, { accountId, role: 'sales' }));
    for (let at = 0; at < 30; at += 1)
      expect((await save(person, { screen: 'vehicles', name: `${at}`, query: '' })).status).toBe(200);
    expect((await save(person, { screen: 'vehicles', name: 'one more', query: '' })).status).toBe(422);
    expect((await save(person, { screen: 'customers', name: 'one more', query: '' })).status).toBe(200);
  });
});

describe('counts beside the lists', () => {
  let counted: Browser;
  beforeAll(async () => {
    const dealer = await service.account();
    counted = await signedIn(service, await newPerson(service, { accountId: dealer, role: 'viewer' }));
    const cars = [
      { brand: 'BMW', model: '320i', city: 'Lefkoşa', status: 'Stokta' },
      { brand: 'Bmw', model: 'X5', city: 'Girne', status: 'Satıldı' },
      { brand: 'Tofaş', model: 'Şahin', city: 'LEFKOŞA', status: "Auction'da", model_year: 1990 },
      { brand: 'Silinmiş', model: 'Yok', city: 'Yok', deleted_at: new Date() },
    ];
    for (const car of cars) await service.vehicle(dealer, car);
    await service.customer(dealer, { first_name: 'Işıl', risk_level: 'high', phone: '+905339998877' });
    await service.customer(dealer, { first_name: 'Ayla', risk_level: 'low' });
    await service.customer(dealer, { first_name: 'Silinen', deleted_at: new Date() });
  });
  const counts = async (of: string) => (await counted.api(of)).json.data;

  test('of vehicles: every status, the total under all filters, and the available filters', async () => {
    expect(await counts('vehicles/counts')).toEqual({
      total: 3,
      statuses: { Stokta: 1, Rezerve: 0, "Auction'da": 1, Satıldı: 1 },
      brands: [expect.stringMatching(/^BMW$/i), 'Tofaş'],
      models: [],
      cities: ['Girne', expect.stringMatching(/^LEFKO/i)],
    });
    const some = await counts('vehicles/counts?brand=bmw&status=Stokta');
    expect(some).toMatchObject({ total: 1, statuses: { Stokta: 1, Rezerve: 0, "Auction'da": 0, Satıldı: 1 } });
    expect(some.models).toEqual(['320i', 'X5']);
    expect((await counts('vehicles/counts?city=lefkosa&year_max=1999')).total).toBe(1);
    expect((await counts('vehicles/counts?deleted=true')).total).toBe(1);
    expect((await counted.api('vehicles/counts?price_min=5')).status).toBe(400);
  });

  test('of customers: every level, and the same search as the list', async () => {
    expect(await counts('customers/counts')).toEqual({ total: 2, risk_levels: { low: 1, medium: 0, high: 1, blocked: 0 } });
    expect((await counts('customers/counts?q=isil')).total).toBe(1);
    expect((await counts('customers/counts?risk_level=low&q=isil')).total).toBe(0);
  });
});

describe('the lists and details through the panel', () => {
  test('a detail works while its endpoint is still Yakında for keys', async () => {
    const id = await service.vehicle(accountId, { plate: 'PN 100' });
    const key = (await service.key(accountId)).secret;
    expect((await service.call(`vehicles/${id}`, { key })).status).toBe(501);
    for (const by of [owner, viewer])
      expect((await by.api(`v1/vehicles/${id}`)).json.data).toMatchObject({ id, plate: 'PN 100' });
    expect((await stranger.api(`v1/vehicles/${id}`)).status).toBe(404);
    expect((await new Browser(service.service.url).api(`v1/vehicles/${id}`)).status).toBe(401);
  });

  test('a viewer sees phones and e-mail masked, in the list and the detail', async () => {
    const id = await service.customer(accountId, {
      first_name: 'Gizem',
      phone: '+905331234567',
      email: 'gizem@example.com',
    });
    const whole = [(await owner.api('v1/customers?q=gizem')).json.data[0], (await owner.api(`v1/customers/${id}`)).json.data];
    for (const one of whole) expect(one).toMatchObject({ phone: '+905331234567', email: 'gizem@example.com' });
    for (const answer of [await viewer.api('v1/customers?q=gizem'), await viewer.api(`v1/customers/${id}`)]) {
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('Gizem');
      for (const kept of ['1234567', 'gizem@']) expect(answer.text).not.toContain(kept);
    }
  });

  test('a viewer cannot find a customer by masked fields, also after another role has searched', async () => {
    await service.customer(accountId, { first_name: 'Saklı', phone: '+905338887766', email: 'sakli.kisi@example.com' });
    for (const q of ['8887766', '%2B90533888', 'sakli.kisi']) {
      expect((await owner.api(`v1/customers?q=${q}`)).json.data, q).toHaveLength(1);
      expect((await viewer.api(`v1/customers?q=${q}`)).json.data, q).toEqual([]);
      expect((await viewer.api(`customers/counts?q=${q}`)).json.data.total, q).toBe(0);
      expect((await owner.api(`v1/customers?q=${q}`)).json.data, q).toHaveLength(1);
    }
    expect((await viewer.api('v1/customers?q=sakli')).json.data).toHaveLength(1);
    expect((await viewer.api('customers/counts?q=SAKLI')).json.data.total).toBe(1);
  });
});
