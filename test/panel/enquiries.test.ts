// Enquiries: received from the showroom, from consumers' offers and by hand; worked on, and turned into a customer and a sale.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { receiveShown } from '../../src/domain/enquiries/enquiry-receive.ts';
import { eraseEnquiries } from '../../src/jobs/erase-enquiries.ts';
import { own, sql, theAccount } from '../../src/kit/sql.ts';
import { openSession } from '../../src/postgres/database.ts';
import { consumerOffers } from '../support/market.ts';
import { asPlatform } from '../support/platform.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { testWriter } from '../support/test-writer.ts';
import { newEnquiry } from './enquiry-requests.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let service: TestService;
let accountId: string;
let owner: Browser;
let seller: Browser;
let other: Browser;
let viewer: Browser;
let phones = 5_000_000;

beforeAll(async () => {
  service = await testService();
  accountId = await service.account({ phone: '+905331112233' });
  const as = async (role: 'owner' | 'sales' | 'viewer') => signedIn(service, await newPerson(service, { accountId, role }));
  [owner, seller, other, viewer] = [await as('owner'), await as('sales'), await as('sales'), await as('viewer')];
  await owner.api('settings/showroom', { method: 'PATCH', body: { is_on: true, slug: 'aday-oto' } });
});
afterAll(() => service.close());

function newPhone(): string {
  phones += 1;
  return `+90533${phones}`;
}
const get = async (id: string, who = owner) => (await who.api(`enquiries/${id}`)).json.data;
const patch = (id: string, body: unknown, who = owner): Promise<Answer> => who.api(`enquiries/${id}`, { method: 'PATCH', body });
const post = (path: string, body: unknown = {}, who = owner): Promise<Answer> => who.api(path, { method: 'POST', body });
const memberOf = async (who: Browser) => (await who.api('session')).json.data.account.member_id as string;
const kinds = async (id: string) => (await get(id)).entries.map(({ kind }: { kind: string }) => kind);

async function published(): Promise<{ car: string; listing: string; page: string }> {
  const car = await service.vehicle(accountId, { brand: 'Audi', model: 'A3' });
  const listing = (await post('v1/marketplace/listings', { vehicle_id: car })).json.data.id;
  return { car, listing, page: `/g/aday-oto/${listing}` };
}

/** As a browser sends it. */
function send(page: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${service.service.url}${page}/soru`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ name: 'Zehra Ziyaretçi', consent: 'yes', ...form }),
  });
}

const about = async (car: string): Promise<{ id: string; name: string; phone: string; source: string }[]> =>
  (await owner.api(`enquiries?vehicle_id=${car}`)).json.data;

describe('the form of the showroom', () => {
  test('makes an enquiry and notifies the dealer without the name; the person’s data is sealed', async () => {
    const { car, page } = await published();
    const phone = newPhone();
    const sent = await send(page, { phone, message: 'Hâlâ satılık mı?' });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `${page}?gonderildi=1#soru`]);
    expect((await service.call(`${page}?gonderildi=1`)).text).toContain('role="status"');
    const [enquiry] = await about(car);
    expect(enquiry).toMatchObject({ name: 'Zehra Ziyaretçi', phone, source: 'Vitrin', stage: 'Yeni', vehicle_id: car });
    expect((await get(enquiry!.id)).entries[0]).toMatchObject({ kind: 'received', text: 'Hâlâ satılık mı?' });
    const notes = (await owner.api('v1/notifications')).json.data;
    expect(notes[0]).toMatchObject({ resource_type: 'enquiry', resource_id: enquiry!.id });
    expect(JSON.stringify(notes)).not.toContain('Zehra');
    const stored = await service.database.inTenant(accountId, 'read', (db) =>
      db.rows(sql`select enquiries::text, enquiry_entries::text as entry from ${own('enquiries')} join ${own('enquiry_entries')}
        on enquiry_id = enquiries.id where enquiries.id = ${enquiry!.id}`),
    );
    expect(JSON.stringify(stored)).not.toMatch(/Zehra|satılık/);
    expect(JSON.stringify(stored)).not.toContain(phone);
  });

  test('answers the same whether the enquiry is kept or not', async () => {
    const { car, page } = await published();
    const phone = newPhone();
    const refused: [Record<string, string>, Record<string, string>?][] = [
      [{ phone: 'yok' }],
      [{ phone, name: 'Z' }],
      [{ phone, name: 'Z'.repeat(81) }],
      [{ phone, message: 'm'.repeat(501) }],
      [{ phone, consent: '' }],
      [{ phone, website: 'https://spam.example' }],
      [{ phone, message: 'x'.repeat(20_000) }],
      [{ phone }, { 'sec-fetch-site': 'cross-site' }],
    ];
    for (const [form, headers] of refused) {
      const sent = await send(page, form, headers);
      expect([sent.status, sent.headers.get('location'), await sent.text()]).toEqual([303, `${page}?gonderildi=1#soru`, '']);
    }
    expect(await about(car)).toEqual([]);
    const unknown = `/g/aday-oto/${car}`;
    const nowhere = await send(unknown, { phone: newPhone() });
    expect([nowhere.status, nowhere.headers.get('location')]).toEqual([303, `${unknown}?gonderildi=1#soru`]);
    expect((await fetch(`${service.service.url}${page}/soru`)).status).toBe(405);
  });

  test('the dealer is notified once that the day is full', async () => {
    const busy = await service.account();
    const boss = await signedIn(service, await newPerson(service, { accountId: busy, role: 'owner' }));
    const body = { vehicle_id: await service.vehicle(busy) };
    const listingId = (await boss.api('v1/marketplace/listings', { method: 'POST', body })).json.data.id;
    const received = await asPlatform(service, busy, async (work) => {
      const all = [];
      for (let sent = 0; sent < 52; sent += 1)
        all.push(await receiveShown(work, { name: 'Zehra', phone: newPhone(), message: null, listingId }));
      return all;
    });
    expect(received.map((one) => one !== null)).toEqual([...Array(50).fill(true), false, false]);
    const notes: { resource_type: string }[] = (await boss.api('v1/notifications?limit=100')).json.data;
    expect(notes.filter(({ resource_type }) => resource_type === 'showroom')).toHaveLength(1);
  });

  test('keeps five an hour of a network and fifty a day of a dealer', async () => {
    const { car, page } = await published();
    // The tests before have used places of the only network.
    const kept = async () => (await about(car)).length;
    for (let sent = 0; sent < 6; sent += 1) expect((await send(page, { phone: newPhone() })).status).toBe(303);
    expect(await kept()).toBeLessThanOrEqual(5);
    const before = await kept();
    expect((await send(page, { phone: newPhone() })).status).toBe(303);
    expect(await kept()).toBe(before);
  });
});

test('the same telephone has one open enquiry, with every message in its history', async () => {
  const { car, listing } = await published();
  const phone = newPhone();
  const first = (await post('enquiries', { name: 'Ali Arayan', phone, source: 'Telefon', message: 'Aradı' })).json.data;
  expect(first).toMatchObject({ is_new: true, stage: 'Yeni' });
  const offer = await consumerOffers(service, { accountId }, listing, '9000.00', { buyer_phone: phone, message: 'Nakit' });
  const again = (await post('enquiries', { name: 'Ali', phone, source: 'Walk-in', message: 'Geldi' })).json.data;
  expect([again.id, again.is_new]).toEqual([first.id, false]);
  expect(again).toMatchObject({ name: 'Ali Arayan', vehicle_id: car, offer: { id: offer.id, amount: '9000.00' } });
  expect(again.entries.map(({ text }: { text: string }) => text)).toEqual(['Geldi', 'Nakit', 'Aradı']);
  await patch(first.id, { stage: 'Kaybedildi', lost_reason: 'Vazgeçti' });
  expect((await post('enquiries', { name: 'Ali', phone, source: 'Telefon' })).json.data.is_new).toBe(true);
});

test('a salesperson who types the telephone of a colleague’s enquiry adds a message, and learns and changes nothing', async () => {
  const [first, second] = [await service.vehicle(accountId), await service.vehicle(accountId)];
  const phone = newPhone();
  const owner_id = await memberOf(other);
  const theirs = await newEnquiry({ api: service, accountId }, { phone, owner_id, vehicle_id: first });
  const body = { name: 'Kim', phone, source: 'Telefon', message: 'Aradı', vehicle_id: second, next_step_on: '2099-05-04' };
  const { status, json } = await post('enquiries', body, seller);
  expect([status, json.data]).toEqual([200, { id: theirs, is_new: false }]);
  const kept = await get(theirs, other);
  expect(kept).toMatchObject({ owner_id, vehicle_id: first, next_step_on: null, name: 'Kemal Aday' });
  expect(kept.entries[0]).toMatchObject({ kind: 'received', text: 'Aradı' });
  // One without an owner is everyone's.
  const free = newPhone();
  await newEnquiry({ api: service, accountId }, { phone: free });
  expect((await post('enquiries', { ...body, phone: free }, seller)).json.data).toMatchObject({
    vehicle_id: second,
    is_new: false,
  });
});

test('another car has no offer yet; the offer for the car before cannot be countered', async () => {
  const [first, second] = [await published(), await published()];
  const offered = async () => {
    const phone = newPhone();
    const offer = await consumerOffers(service, { accountId }, first.listing, '9000.00', { buyer_phone: phone });
    const { id } = (await about(first.car))[0]!;
    expect((await get(id)).offer).toMatchObject({ id: offer.id });
    return { id, phone };
  };
  const { id, phone } = await offered();
  const asked = { name: 'Ali', phone, source: 'Telefon' };
  expect((await post('enquiries', { ...asked, vehicle_id: first.car })).json.data.offer).not.toBeNull();
  expect((await post('enquiries', { ...asked, vehicle_id: second.car })).json.data).toMatchObject({ id, offer: null });
  expect((await post(`enquiries/${id}/counter`, { amount: '9500.00' })).json.error.code).toBe('no_consumer_offer');
  const moved = await offered();
  expect((await patch(moved.id, { vehicle_id: second.car })).json.data.offer).toBeNull();
});

test('every change is in the audit log, without values', async () => {
  const id = (await post('enquiries', { name: 'Ali Denetim', phone: newPhone(), source: 'Telefon' })).json.data.id;
  await patch(id, { stage: 'Teklif' });
  await post(`enquiries/${id}/notes`, { text: 'Görüştük' });
  await post(`enquiries/${id}/customer`);
  await post(`enquiries/${id}/erase`);
  const logged = await service.database.inTenant(accountId, 'read', (db) =>
    db.rows(sql`select action, actor_type, before, after from ${own('audit_log')} where target = ${id} order by created_at, id`),
  );
  const plain = { actor_type: 'panel', before: null, after: null };
  expect(logged).toEqual(
    ['created', 'changed', 'changed', 'changed', 'erased'].map((what) => ({ action: `enquiry.${what}`, ...plain })),
  );
});

test('stages change in any order until it is won or lost; lost needs a reason, won a sale of its customer', async () => {
  const id = await newEnquiry({ api: service, accountId });
  for (const stage of ['Teklif', 'Görüşüldü', 'Test sürüşü', 'Yeni'])
    expect((await patch(id, { stage })).json.data.stage).toBe(stage);
  expect((await patch(id, { stage: 'Kaybedildi' })).json.error.details[0]).toMatchObject({
    field: 'lost_reason',
    code: 'required',
  });
  expect((await patch(id, { lost_reason: 'Pahalı', stage: 'Teklif' })).json.error.details[0]).toMatchObject({
    field: 'lost_reason',
    code: 'invalid',
  });
  expect((await patch(id, { stage: 'Kazanıldı' })).json.error.details[0]).toMatchObject({ field: 'sale_id', code: 'required' });
  expect((await patch(id, { stage: 'Kaybedildi', lost_reason: 'Başka yerden aldı' })).json.data).toMatchObject({
    stage: 'Kaybedildi',
  });
  const closed = await patch(id, { stage: 'Yeni' });
  expect([closed.status, closed.json.error.code]).toEqual([409, 'enquiry_closed']);
});

test('the next step is a task of its owner', async () => {
  const id = await newEnquiry({ api: service, accountId });
  const owner_id = await memberOf(seller);
  await patch(id, { owner_id, next_step_on: '2099-05-04' });
  const task = async () => (await owner.api(`v1/tasks?assignee_id=${owner_id}`)).json.data[0];
  expect(await task()).toMatchObject({ status: 'Yapılacak', assignee_id: owner_id });
  expect(JSON.stringify(await task())).not.toContain('Kemal');
  const { id: first, due_at } = await task();
  await patch(id, { next_step_on: '2099-05-05' });
  expect(await task()).toMatchObject({ id: first, status: 'Yapılacak' });
  expect((await task()).due_at).not.toBe(due_at);
  await patch(id, { stage: 'Kaybedildi', lost_reason: 'Ulaşılamadı' });
  expect(await task()).toMatchObject({ id: first, status: 'İptal' });
});

test('a next step is set although the car was deleted and the owner has left', async () => {
  const vehicle_id = await service.vehicle(accountId);
  const leaver = await signedIn(service, await newPerson(service, { accountId, role: 'sales' }));
  const owner_id = await memberOf(leaver);
  const id = await newEnquiry({ api: service, accountId }, { vehicle_id, owner_id });
  await service.database.inTenant(accountId, 'write', async (db) => {
    await db.exec(sql`update vehicles set deleted_at = now() where account_id = ${theAccount} and id = ${vehicle_id}`);
    await db.exec(sql`update members set active = false where account_id = ${theAccount} and id = ${owner_id}`);
  });
  const { status, json } = await patch(id, { next_step_on: '2099-05-04' });
  expect([status, json.data?.next_step_on]).toEqual([200, '2099-05-04']);
  const next = await patch(id, { owner_id: await memberOf(seller) });
  expect(next.status, next.text).toBe(200);
});

test('a salesperson sees own enquiries and those without an owner; a viewer sees telephones masked', async () => {
  const id = await newEnquiry({ api: service, accountId });
  expect((await seller.api(`enquiries/${id}`)).status).toBe(200);
  expect((await patch(id, { owner_id: await memberOf(other) }, seller)).status).toBe(403);
  expect((await patch(id, { owner_id: await memberOf(seller) }, seller)).status).toBe(200);
  expect((await other.api(`enquiries/${id}`)).status).toBe(404);
  expect((await patch(id, { stage: 'Teklif' }, other)).status).toBe(404);
  expect((await other.api('enquiries?limit=100')).json.data.map((one: { id: string }) => one.id)).not.toContain(id);
  expect((await seller.api('enquiries?limit=100')).json.data.map((one: { id: string }) => one.id)).toContain(id);
  expect((await viewer.api(`enquiries/${id}`)).json.data.phone).toMatch(/•/);
  expect((await patch(id, { stage: 'Teklif' }, viewer)).status).toBe(403);
});

describe('the customer and the sale', () => {
  test('in one act; the enquiry is won', async () => {
    const car = await service.vehicle(accountId);
    const id = await newEnquiry({ api: service, accountId }, { vehicle_id: car });
    const refused = await post(`enquiries/${id}/sale`, {
      sale_price: '10000.00',
      down_payment: '20000.00',
      installment_count: 2,
    });
    expect(refused.status).toBe(422);
    // Nothing of it was kept.
    expect(await get(id)).toMatchObject({ stage: 'Yeni', customer_id: null });
    const sold = await post(`enquiries/${id}/sale`, { sale_price: '10000.00' }, seller);
    expect(sold.status, sold.text).toBe(200);
    const won = await get(id);
    expect(won).toMatchObject({ stage: 'Kazanıldı', sale_id: sold.json.data.id, customer_id: expect.any(String) });
    expect((await owner.api(`v1/customers/${won.customer_id}`)).json.data).toMatchObject({
      first_name: 'Kemal',
      last_name: 'Aday',
    });
    expect(await kinds(id)).toEqual(['sale', 'customer', 'received']);
    // As a sale and a customer that were made in their own screens.
    expect((await owner.api(`sales/${won.sale_id}/history`)).json.data).toMatchObject([{ what: 'sale.created' }]);
    const logged = await service.database.inTenant(accountId, 'read', (db) =>
      db.rows(sql`select action from ${own('audit_log')} where target in (${won.sale_id}, ${won.customer_id}) order by action`),
    );
    expect(logged).toEqual([{ action: 'POST customers' }, { action: 'POST sales' }]);
    expect((await post(`enquiries/${id}/sale`, { sale_price: '10000.00' })).status).toBe(409);
  });

  test('the sale is the salesperson’s, or the owner’s of the enquiry', async () => {
    const sellTo = async (who: Browser, values: Record<string, unknown> = {}) => {
      const id = await newEnquiry({ api: service, accountId }, { vehicle_id: await service.vehicle(accountId), ...values });
      const sold = await post(`enquiries/${id}/sale`, { sale_price: '10000.00' }, who);
      expect(sold.status, sold.text).toBe(200);
      return sold.json.data.salesperson_id;
    };
    const [mine, theirs] = [await memberOf(seller), await memberOf(other)];
    expect(await sellTo(seller)).toBe(mine);
    expect(await sellTo(owner, { owner_id: theirs })).toBe(theirs);
    expect(await sellTo(owner)).toBeNull();
  });

  test('a sale is named with Kazanıldı only', async () => {
    const buyer = await newEnquiry({ api: service, accountId }, { vehicle_id: await service.vehicle(accountId) });
    const sale_id = (await post(`enquiries/${buyer}/sale`, { sale_price: '10000.00' })).json.data.id;
    const id = await newEnquiry({ api: service, accountId });
    for (const body of [{ sale_id }, { sale_id, stage: 'Teklif' }, { sale_id, stage: 'Kaybedildi', lost_reason: 'Vazgeçti' }]) {
      const { status, json } = await patch(id, body);
      expect([status, json.error.details[0]]).toMatchObject([422, { field: 'sale_id', code: 'invalid' }]);
    }
    expect(await get(id)).toMatchObject({ stage: 'Yeni', sale_id: null });
    expect((await patch(id, { sale_id, stage: 'Kazanıldı' })).json.data).toMatchObject({ stage: 'Kazanıldı', sale_id });
  });

  test('an existing customer with the same telephone can be chosen', async () => {
    const phone = newPhone();
    const customer = await service.customer(accountId, { phone, first_name: 'Kayıtlı' });
    const id = await newEnquiry({ api: service, accountId }, { phone });
    expect((await owner.api(`enquiries/${id}/matches`)).json.data).toMatchObject([{ id: customer, first_name: 'Kayıtlı' }]);
    expect((await post(`enquiries/${id}/customer`, { customer_id: customer })).json.data.customer_id).toBe(customer);
    const foreign = await service.customer(await service.account());
    expect((await post(`enquiries/${id}/customer`, { customer_id: foreign })).status).toBe(422);
  });

  test('a consumer’s offer is countered', async () => {
    const { car, listing } = await published();
    await consumerOffers(service, { accountId }, listing, '9000.00', { buyer_phone: newPhone() });
    const { id } = (await about(car))[0]!;
    const countered = (await post(`enquiries/${id}/counter`, { amount: '9750.00' })).json.data;
    expect(countered).toMatchObject({ stage: 'Teklif', source: 'Pazar teklifi' });
    expect(countered.entries.find(({ kind }: { kind: string }) => kind === 'counter').value).toMatch(/9\.750,00/);
    const plain = await newEnquiry({ api: service, accountId });
    expect((await post(`enquiries/${plain}/counter`, { amount: '1.00' })).json.error.code).toBe('no_consumer_offer');
  });
});

describe('erasure', () => {
  const person = async (id: string) => {
    const { name, phone, entries } = await get(id);
    return { name, phone, texts: entries.map(({ text }: { text: string | null }) => text).filter(Boolean) };
  };
  const GONE = { name: null, phone: null, texts: [] };

  test('on request, with the customer, and after 24 months without activity', async () => {
    const [asked, fresh, old] = (await Promise.all([1, 2, 3].map(() => newEnquiry({ api: service, accountId })))) as [
      string,
      string,
      string,
    ];
    expect((await post(`enquiries/${asked}/erase`)).status).toBe(200);
    expect(await person(asked)).toEqual(GONE);
    const phone = newPhone();
    const customer = await service.customer(accountId, { phone, last_name: 'Silinecek' });
    const theirs = await newEnquiry({ api: service, accountId }, { phone });
    const erased = await post(`customers/${customer}/erase`, {
      typed_name: `${(await owner.api(`v1/customers/${customer}`)).json.data.first_name} Silinecek`,
    });
    expect(erased.status, erased.text).toBe(200);
    expect(await person(theirs)).toEqual(GONE);
    await service.database.inTenant(accountId, 'write', (db) =>
      db.exec(
        sql`update enquiries set last_activity_at = now() - interval '25 months' where account_id = ${theAccount} and id = ${old}`,
      ),
    );
    expect(await eraseEnquiries(testWriter(service), service.clock.now())).toBe(1);
    expect(await person(old)).toEqual(GONE);
    expect((await person(fresh)).name).toBe('Kemal Aday');
    expect(await eraseEnquiries(testWriter(service), service.clock.now())).toBe(0);
  });

  test('the person’s offers on the marketplace too, except those of a later contact', async () => {
    const buyers = async (phone: string) =>
      service.database.inTenant(accountId, 'read', (db) =>
        db.rows<{ buyer_name: string; message: string | null }>(sql`select buyer_name, message from ${own('marketplace_offers')}
          where buyer_phone = ${phone}`),
      );
    const [first, second] = [await published(), await published()];
    const offering = async ({ car, listing }: { car: string; listing: string }, buyer_phone: string) => {
      await consumerOffers(service, { accountId }, listing, '9000.00', { buyer_phone, message: 'Nakit öderim' });
      return (await about(car))[0]!.id;
    };
    const phone = newPhone();
    const asked = await offering(first, phone);
    // The second offer replaces the first in the enquiry.
    await offering(second, phone);
    expect((await post(`enquiries/${asked}/erase`)).status).toBe(200);
    expect(await buyers(phone)).toEqual([]);
    const later = newPhone();
    const old = await offering(first, later);
    await patch(old, { stage: 'Kaybedildi', lost_reason: 'Vazgeçti' });
    const admin = await openSession(service.adminUrl);
    await admin.rows(`update enquiries set last_activity_at = now() - interval '25 months' where id = $1`, [old]);
    await admin.rows(`update marketplace_offers set created_at = now() - interval '25 months' where buyer_phone = $1`, [later]);
    await admin.close();
    await offering(second, later);
    expect(await eraseEnquiries(testWriter(service), service.clock.now())).toBe(1);
    expect(await buyers(later)).toHaveLength(1);
  });
});
