import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/kit/ids.ts';
import { own, sql, theAccount } from '../../../src/kit/sql.ts';
import { eventsBy } from '../../support/events.ts';
import { type Answer, type TestService, testService } from '../../support/service.ts';
import { aPerson, type Dealer, newDealer, openAll } from '../../support/writer.ts';

let api: TestService;
let dealer: Dealer;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api);
});
afterAll(() => api.close());

const refusal = ({ status, json }: Answer) => [status, json.error?.code];
const kinds = async (act: () => Promise<unknown>) => (await eventsBy(api, dealer.accountId, act)).map(({ kind }) => kind);
const made = async (overrides: Record<string, unknown> = {}): Promise<string> =>
  (await dealer.post('customers', aPerson(overrides))).json.data.id;

/** A staff member of the dealer. */
async function member(accountId: string, active = true): Promise<string> {
  const id = newId();
  await api.database.inTenant(accountId, 'write', (db) =>
    db.exec(sql`insert into members (account_id, id, full_name, role, active, created_at, updated_at)
      values (${theAccount}, ${id}, 'Deniz Kaya', 'sales', ${active}, now(), now())`),
  );
  return id;
}

async function reserveFor(customerId: string): Promise<string> {
  const vehicle = await api.vehicle(dealer.accountId, { status: 'Rezerve' });
  await api.database.inTenant(dealer.accountId, 'write', (db) =>
    db.exec(sql`insert into reservations (account_id, id, vehicle_id, kind, customer_id)
      values (${theAccount}, ${newId()}, ${vehicle}, 'Müşteri', ${customerId})`),
  );
  return vehicle;
}

describe('a new customer', () => {
  test('is returned without hidden fields, and appears in the list and the detail at once', async () => {
    const body = aPerson({ phone: '0532 111 22 33', email: 'a@example.com', birth_date: '1985-04-23', note: 'iki\nsatır' });
    const answer = await dealer.post('customers', body);
    expect(answer.status).toBe(201);
    const { data } = answer.json;
    expect(data).toMatchObject({ phone: '+905321112233', risk_level: 'medium', note: 'iki\nsatır', open_sale_count: 0 });
    for (const kept of [body.id_no, body.address, body.monthly_income, '1985-04-23', 'id_no', 'birth'])
      expect(answer.text).not.toContain(kept);
    expect((await dealer.get(`customers/${data.id}`)).json.data).toEqual(data);
    expect((await dealer.get('customers?limit=1')).json.data[0].id).toBe(data.id);
  });

  test('is stored encrypted: no column holds the number, the address or the income in plain text', async () => {
    const body = aPerson();
    const { id } = (await dealer.post('customers', body)).json.data;
    const [row] = await api.database.inTenant(dealer.accountId, 'read', (db) =>
      db.rows<{ text: string }>(sql`select customers::text as text from ${own('customers')} where id = ${id}`),
    );
    for (const kept of [body.id_no, body.address, body.monthly_income]) {
      expect(row!.text).not.toContain(kept);
      expect(row!.text).not.toContain(Buffer.from(kept).toString('hex'));
    }
  });

  test('emits events with ids only', async () => {
    const [event, ...more] = await eventsBy(api, dealer.accountId, () => dealer.post('customers', aPerson()));
    expect(more).toEqual([]);
    expect(event).toMatchObject({ kind: 'customer.created' });
    expect(event!.payload.data).toEqual({ object: { id: event!.id }, changed: [], previous: {} });
    expect(event!.payload.resource).toEqual({ kind: 'customer', id: event!.id, path: `/api/v1/customers/${event!.id}` });
  });

  test('has a unique identity number, in any spelling; another dealer may have the same one', async () => {
    await made({ id_no: '12345-678' });
    const again = await dealer.post('customers', aPerson({ id_no: '12 345 678' }));
    expect(refusal(again)).toEqual([409, 'duplicate_customer']);
    expect(again.json.error.details).toMatchObject([{ field: 'id_no', code: 'duplicate_customer' }]);
    const other = await newDealer(api);
    expect((await other.post('customers', aPerson({ id_no: '12345678' }))).status).toBe(201);
  });

  test('may share a phone with another customer', async () => {
    await made({ phone: '+905339998877' });
    expect((await dealer.post('customers', aPerson({ phone: '05339998877' }))).status).toBe(201);
  });

  test.each([
    [{ phone: '12' }, 'phone', 'invalid'],
    [{ email: 'nobody' }, 'email', 'invalid'],
    [{ risk_level: 'High' }, 'risk_level', 'not_allowed'],
    [{ monthly_income: '1.000,50' }, 'monthly_income', 'invalid_amount'],
    [{ birth_date: '2999-01-01' }, 'birth_date', 'out_of_range'],
    [{ first_name: null }, 'first_name', 'required'],
    [{ open_sale_count: 3 }, 'open_sale_count', 'unknown_field'],
  ])('%j is refused', async (input, field, code) => {
    const answer = await dealer.post('customers', aPerson(input));
    expect(refusal(answer)).toEqual([422, 'validation_failed']);
    expect(answer.json.error.details).toMatchObject([{ field, code }]);
  });

  test('is created once by concurrent requests with one identity number', async () => {
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => dealer.post('customers', aPerson({ id_no: 'PARALLEL1' }))),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(409)]);
  });
});

describe('an edit', () => {
  test('changes the given fields, clears null ones and keeps the rest', async () => {
    const id = await made({ email: 'x@example.com', note: 'old' });
    const before = (await dealer.get(`customers/${id}`)).json.data;
    api.clock.advance(1000);
    const after = (await dealer.patch(`customers/${id}`, { email: null, risk_level: 'high' })).json.data;
    expect(after).toEqual({ ...before, email: null, risk_level: 'high', updated_at: after.updated_at });
    expect(after.updated_at > before.updated_at).toBe(true);
    expect((await dealer.get('customers?risk_level=high&limit=1')).json.data[0].id).toBe(id);
  });

  test('that changes nothing, encrypted fields included, writes and emits nothing', async () => {
    const body = aPerson({ birth_date: '1990-01-01', email: 'same@example.com' });
    const { id, updated_at } = (await dealer.post('customers', body)).json.data;
    expect(await kinds(() => dealer.patch(`customers/${id}`, body))).toEqual([]);
    expect((await dealer.get(`customers/${id}`)).json.data.updated_at).toBe(updated_at);
  });

  test('of an encrypted field alone emits customer.updated without the value', async () => {
    const id = await made();
    const events = await eventsBy(api, dealer.accountId, () => dealer.patch(`customers/${id}`, { address: 'NEWADDRESS' }));
    expect(events.map(({ kind }) => kind)).toEqual(['customer.updated']);
    expect(JSON.stringify(events)).not.toMatch(/address/i);
  });

  test('refuses another customer’s identity number and that of the customer’s own guarantor', async () => {
    await made({ id_no: 'TAKEN1' });
    const id = await made();
    expect(refusal(await dealer.patch(`customers/${id}`, { id_no: 'taken-1' }))).toEqual([409, 'duplicate_customer']);
    await dealer.post(`customers/${id}/guarantors`, aPerson({ id_no: 'KEFIL1' }));
    expect(refusal(await dealer.patch(`customers/${id}`, { id_no: 'KEFIL1' }))).toEqual([422, 'guarantor_is_customer']);
  });

  test('refuses an empty body, a read-only field and an unknown customer', async () => {
    const id = await made();
    expect(refusal(await dealer.patch(`customers/${id}`, {}))).toEqual([422, 'validation_failed']);
    expect(refusal(await dealer.patch(`customers/${id}`, { created_at: '2026-01-01' }))).toEqual([422, 'validation_failed']);
    expect(refusal(await dealer.patch(`customers/${newId()}`, { note: 'x' }))).toEqual([404, 'not_found']);
    const foreign = await api.customer((await newDealer(api)).accountId);
    expect(refusal(await dealer.patch(`customers/${foreign}`, { note: 'x' }))).toEqual([404, 'not_found']);
  });
});

describe('a deletion', () => {
  test('returns the customer as deleted; then the customer and the guarantors are gone and the number is free', async () => {
    const id = await made({ id_no: 'FREED1' });
    const guarantor = (await dealer.post(`customers/${id}/guarantors`, aPerson())).json.data.id;
    const events = await eventsBy(api, dealer.accountId, async () => {
      const answer = await dealer.delete(`customers/${id}`);
      expect(answer.status).toBe(200);
      expect(answer.json.data).toMatchObject({ id, deleted_at: expect.stringMatching(/Z$/) });
    });
    expect(events.map(({ kind, id: about }) => [kind, about])).toEqual([
      ['customer.deleted', id],
      ['guarantor.deleted', guarantor],
    ]);
    for (const path of [`customers/${id}`, `customers/${id}/activity`, `customers/${id}/guarantors`, `guarantors/${guarantor}`])
      expect(refusal(await dealer.get(path))).toEqual([404, 'not_found']);
    expect(refusal(await dealer.delete(`customers/${id}`))).toEqual([404, 'not_found']);
    expect(refusal(await dealer.post(`customers/${id}/guarantors`, aPerson()))).toEqual([404, 'not_found']);
    expect((await dealer.get('customers?limit=100')).json.data.map((one: { id: string }) => one.id)).not.toContain(id);
    expect((await dealer.post('customers', aPerson({ id_no: 'FREED1' }))).status).toBe(201);
  });

  test('is refused while a vehicle is held for the customer, and possible afterwards', async () => {
    const id = await made();
    const vehicle = await reserveFor(id);
    expect(
      await kinds(async () => expect(refusal(await dealer.delete(`customers/${id}`))[1]).toBe('customer_has_reservation')),
    ).toEqual([]);
    await api.database.inTenant(dealer.accountId, 'write', (db) =>
      db.exec(sql`update reservations set status = 'Serbest' where account_id = ${theAccount} and vehicle_id = ${vehicle}`),
    );
    expect((await dealer.delete(`customers/${id}`)).status).toBe(200);
  });
});

test('during a reservation for the customer either the deletion or the reservation succeeds, never both', async () => {
  for (let round = 0; round < 12; round += 1) {
    const [id, vehicle] = [await made(), await api.vehicle(dealer.accountId)];
    const [deleted, reserved] = await Promise.all([
      dealer.delete(`customers/${id}`),
      dealer.post(`vehicles/${vehicle}/reserve`, { customer_id: id }),
    ]);
    if (deleted.status === 200) expect(refusal(reserved)).toEqual([422, 'unknown_reference']);
    else expect([...refusal(deleted), reserved.status]).toEqual([409, 'customer_has_reservation', 200]);
  }
});

describe('activity', () => {
  test('defaults to the current time, and is listed newest first', async () => {
    const id = await made();
    const first = await dealer.post(`customers/${id}/activity`, { kind: 'Arama', note: 'sordu' });
    expect(first.status).toBe(201);
    expect(first.json.data).toMatchObject({
      customer_id: id,
      kind: 'Arama',
      source: 'manual',
      staff_id: null,
      resource_id: null,
    });
    expect(first.json.data.occurred_at).toBe(first.json.data.created_at);
    await dealer.post(`customers/${id}/activity`, { kind: 'Ziyaret', note: 'geldi', occurred_at: '2026-01-05T10:00:00Z' });
    const listed = (await dealer.get(`customers/${id}/activity`)).json.data;
    expect(listed.map(({ kind }: { kind: string }) => kind)).toEqual(['Arama', 'Ziyaret']);
  });

  test('filters by kind, source and time, with days in the account’s time zone', async () => {
    const istanbul = await newDealer(api, { country: 'TR' });
    const { id } = (await istanbul.post('customers', aPerson())).json.data;
    const at = ['2026-01-04T20:59:59Z', '2026-01-04T21:00:00Z', '2026-01-05T20:59:59Z', '2026-01-05T21:00:00Z'];
    for (const occurred_at of at)
      await istanbul.post(`customers/${id}/activity`, { kind: 'Not', note: occurred_at, occurred_at });
    const notes = async (query: string) =>
      (await istanbul.get(`customers/${id}/activity?${query}`)).json.data.map(({ note }: { note: string }) => note);
    expect(await notes('from=2026-01-05&to=2026-01-05')).toEqual([at[2], at[1]]);
    expect(await notes('from=2026-01-05T20:59:59Z')).toEqual([at[3], at[2]]);
    expect(await notes('kind=Arama')).toEqual([]);
    expect(await notes('source=system')).toEqual([]);
    expect(await notes('kind=Not&source=manual&limit=1')).toEqual([at[3]]);
    const turned = await istanbul.get(`customers/${id}/activity?from=2026-01-06&to=2026-01-05`);
    expect([...refusal(turned), turned.json.error.param]).toEqual([400, 'invalid_parameter', 'from']);
  });

  test('names a staff member of the dealer; its event carries ids only', async () => {
    const id = await made();
    const staff_id = await member(dealer.accountId);
    const body = { kind: 'WhatsApp', note: 'ACTIVITYNOTE', staff_id };
    const events = await eventsBy(api, dealer.accountId, async () =>
      expect((await dealer.post(`customers/${id}/activity`, body)).json.data.staff_id).toBe(staff_id),
    );
    expect(events.map(({ kind }) => kind)).toEqual(['customer_activity.created']);
    expect(events[0]!.payload.data.object).toEqual({ id: events[0]!.id, customer_id: id });
    for (const wrong of [newId(), await member(dealer.accountId, false), await member((await newDealer(api)).accountId)]) {
      const answer = await dealer.post(`customers/${id}/activity`, { ...body, staff_id: wrong });
      expect(refusal(answer)).toEqual([422, 'unknown_reference']);
      expect(answer.json.error.details).toMatchObject([{ field: 'staff_id', code: 'unknown_reference' }]);
    }
  });

  test.each([
    [{ kind: 'Sistem', note: 'x' }, 'kind'],
    [{ kind: 'Arama' }, 'note'],
    [{ kind: 'Arama', note: ' ' }, 'note'],
    [{ kind: 'Arama', note: 'x'.repeat(2001) }, 'note'],
    [{ kind: 'Arama', note: 'x', occurred_at: '2999-01-01T00:00:00Z' }, 'occurred_at'],
    [{ kind: 'Arama', note: 'x', source: 'system' }, 'source'],
  ])('%.60j is refused', async (body, field) => {
    const answer = await dealer.post(`customers/${await made()}/activity`, body);
    expect(refusal(answer)).toEqual([422, 'validation_failed']);
    expect(answer.json.error.details[0].field).toBe(field);
  });
});
