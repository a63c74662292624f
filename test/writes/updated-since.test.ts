// What a mirror relies on: `updated_at` rises in commit order, and every change that an integrator can see raises it.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { updateStamped } from '../../src/domain/records/record.ts';
import { lockVehicle } from '../../src/domain/stock/vehicle.ts';
import { own, sql } from '../../src/kit/sql.ts';
import type { Work } from '../../src/kit/work.ts';
import { eventsBy } from '../support/events.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { testWriter } from '../support/test-writer.ts';
import { aCar, aPerson, type Dealer, newDealer, openAll } from '../support/writer.ts';

let api: TestService;
let dealer: Dealer;
beforeAll(async () => {
  // On a busy machine every write is slow, and a slow dealer has a quarter of the connections: here that is more than one, so
  // that a blocked write does not block all others.
  api = await testService({ database: { connections: 12 } });
  await openAll(api);
  dealer = await newDealer(api);
});
afterAll(() => api.close());

const newCar = async (overrides: Record<string, unknown> = {}) => (await dealer.post('vehicles', aCar(overrides))).json.data;

/** A write with its own timestamp that waits, holding its vehicle's lock, until it is released. */
function slowWrite(now: Date, car: string) {
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let started = () => {};
  const hasStarted = new Promise<void>((resolve) => {
    started = resolve;
  });
  const account = { id: dealer.accountId, timezone: 'UTC' };
  const call = { dataSet: dealer.accountId, account, actor: { type: 'system', name: 'test' }, now } as const;
  const run = async (work: Work, act: (work: Work) => Promise<void>) => {
    await lockVehicle(work.db, car);
    await act(work);
    started();
    await gate;
  };
  const change = (work: Work) => updateStamped(work, 'vehicles', car, { km: 7 });
  const writer = testWriter({ database: api.database, secrets: api.secrets });
  // A failing test would otherwise leave the lock to the following tests.
  onTestFinished(() => letGo());
  return {
    hasStarted,
    letGo,
    /** The record is written after the wait, although the write started before. */
    late: () => writer.write(call, async (work) => run(work, async () => {}).then(() => change(work))),
    /** The record is written as in a bulk write, the commit waits. */
    early: () => writer.write(call, (work) => run(work, () => work.step(() => change(work)))),
  };
}

/** A write that proposes its timestamp, in a savepoint or not, and waits before it ends; attempts are counted. */
function proposingWrite(now: Date, run: (work: Work) => Promise<void> = async () => {}, inSavepoint = false) {
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: hasStarted, resolve: started } = Promise.withResolvers<void>();
  const account = { id: dealer.accountId, timezone: 'UTC' };
  const call = { dataSet: dealer.accountId, account, actor: { type: 'system', name: 'test' }, now } as const;
  const stamps: Date[] = [];
  onTestFinished(() => letGo());
  const writer = testWriter({ database: api.database, secrets: api.secrets });
  const done = writer.write(call, async (work) => {
    const propose = async () => stamps.push(await work.proposeStamp());
    await (inSavepoint ? work.step(propose) : propose());
    await run(work);
    started();
    await gate;
  });
  return { stamps, hasStarted, letGo, done };
}

const waitForLock = async (): Promise<void> => {
  const waits = () => api.database.onPlatform('read', (db) => db.rows(sql`select from pg_locks where not granted`));
  while ((await waits()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
};

const updatedAt = async (id: string): Promise<string> => (await dealer.get(`vehicles/${id}`)).json.data.updated_at;

describe('updated_at', () => {
  test('is later than everything committed before, whenever the write started', async () => {
    const [first, second] = [await newCar(), await newCar()];
    const slow = slowWrite(new Date(Date.now() - 5000), first.id);
    const done = slow.late();
    await slow.hasStarted;
    const { updated_at } = (await dealer.patch(`vehicles/${second.id}`, { km: 8 })).json.data;
    slow.letGo();
    await done;
    expect(Date.parse(await updatedAt(first.id))).toBeGreaterThan(Date.parse(updated_at));
  });

  test('is assigned only after the write with the previous one has ended', async () => {
    const [first, second] = [await newCar(), await newCar()];
    const slow = slowWrite(new Date(), first.id);
    const done = slow.early();
    await slow.hasStarted;
    const seen = (await dealer.get(`vehicles?updated_since=${second.updated_at}&cursor=start`)).json.data;
    expect(seen.map(({ id }: { id: string }) => id)).toEqual([second.id]);
    const other = dealer.patch(`vehicles/${second.id}`, { km: 9 });
    // It waits for the first: PostgreSQL shows the waiter.
    await waitForLock();
    slow.letGo();
    await done;
    const { updated_at } = (await other).json.data;
    expect(Date.parse(updated_at)).toBeGreaterThan(Date.parse(await updatedAt(first.id)));
  });

  test('that was proposed and overtaken is assigned again, and the write is retried', async () => {
    const write = proposingWrite(new Date());
    await write.hasStarted;
    // No lock is held: another write ends in between.
    const { updated_at } = await newCar();
    write.letGo();
    await write.done;
    expect(write.stamps).toHaveLength(2);
    expect(write.stamps[0]!.getTime()).toBeLessThanOrEqual(Date.parse(updated_at));
    expect(write.stamps[1]!.getTime()).toBeGreaterThan(Date.parse(updated_at));
    expect(Date.parse((await newCar()).updated_at)).toBeGreaterThan(write.stamps[1]!.getTime());
  });

  test('that was proposed is used when no write came in between, and no later one is before it', async () => {
    const ahead = new Date(Date.now() + 1000);
    const write = proposingWrite(ahead);
    write.letGo();
    await write.done;
    expect(write.stamps).toEqual([ahead]);
    // The service does not know of it: its proposal is refused once and assigned again.
    expect(Date.parse((await newCar()).updated_at)).toBeGreaterThan(ahead.getTime());
    expect(Date.parse((await newCar()).updated_at)).toBeGreaterThan(ahead.getTime());
  });

  test('is the same for all records of a write that proposes it and then needs it', async () => {
    const { id } = await newCar();
    const write = proposingWrite(new Date(Date.now() + 2000), (work) => updateStamped(work, 'vehicles', id, { km: 11 }));
    write.letGo();
    await write.done;
    expect(write.stamps.map((stamp) => stamp.toISOString())).toEqual([await updatedAt(id)]);
  });

  test('is locked from the start by a bulk write, which is not retried', async () => {
    const write = proposingWrite(new Date(), undefined, true);
    await write.hasStarted;
    const other = newCar();
    await waitForLock();
    write.letGo();
    await write.done;
    expect(write.stamps).toHaveLength(1);
    expect(Date.parse((await other).updated_at)).toBeGreaterThan(write.stamps[0]!.getTime());
  });

  test('is the same in the reply, the list, the detail and the event', async () => {
    let made = { id: '', updated_at: '' };
    const [event] = await eventsBy(api, dealer.accountId, async () => {
      made = await newCar();
    });
    expect(event!.payload.data.object.updated_at).toBe(made.updated_at);
    expect(await updatedAt(made.id)).toBe(made.updated_at);
    const listed = (await dealer.get('vehicles?limit=1')).json.data[0];
    expect(listed).toMatchObject({ id: made.id, updated_at: made.updated_at });
    const edited = (await dealer.patch(`vehicles/${made.id}`, { km: 10 })).json.data;
    expect(await updatedAt(made.id)).toBe(edited.updated_at);
  });

  test('of bulk rows is correct although the first of them is refused', async () => {
    const before = await newCar();
    const { json } = await dealer.post('vehicles/bulk-create', { vehicles: [aCar({ plate: before.plate }), aCar(), aCar()] });
    expect(json.data).toMatchObject({ created: 2, failed: 1 });
    for (const { id } of json.data.results.slice(1))
      expect(Date.parse(await updatedAt(id))).toBeGreaterThan(Date.parse(before.updated_at));
    const after = await newCar();
    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(await updatedAt(json.data.results[2].id)));
  });

  test('of a vehicle rises when its photos, videos or reservation change, and only then', async () => {
    const { id } = await newCar();
    const path = `vehicles/${id}`;
    const photo = { url: 'https://cdn.example.com/1.jpg' };
    const raised = async (act: () => Promise<Answer>): Promise<Answer> => {
      const before = await updatedAt(id);
      const answer = await act();
      expect(answer.status, answer.text).toBeLessThan(300);
      expect(Date.parse(await updatedAt(id)), answer.text).toBeGreaterThan(Date.parse(before));
      return answer;
    };
    const media = [
      ['photos', photo, { caption: 'Ön' }, 'photo_ids'],
      ['videos', { url: 'https://vimeo.com/76979871' }, { title: 'Tur' }, 'video_ids'],
    ] as const;
    for (const [kind, body, edit, ids] of media) {
      const one = (await raised(() => dealer.post(`${path}/${kind}`, body))).json.data.id;
      const two = (await raised(() => dealer.post(`${path}/${kind}`, body))).json.data.id;
      await raised(() => dealer.patch(`${path}/${kind}/${one}`, edit));
      const still = await updatedAt(id);
      await dealer.patch(`${path}/${kind}/${one}`, edit);
      await dealer.post(`${path}/${kind}/reorder`, { [ids]: [one, two] });
      expect(await updatedAt(id)).toBe(still);
      await raised(() => dealer.post(`${path}/${kind}/reorder`, { [ids]: [two, one] }));
      await raised(() => dealer.delete(`${path}/${kind}/${two}`));
    }
    const customer_id = (await dealer.post('customers', aPerson())).json.data.id;
    await raised(() => dealer.post(`${path}/reserve`, { customer_id }));
    await raised(() => dealer.post(`${path}/reserve`, { customer_id, note: 'kapora' }));
    await raised(() => dealer.patch(path, { status: 'Stokta' }));
  });
});

describe('updated_since', () => {
  const nextOf = ({ headers }: Answer): string | null =>
    /\/api\/v1\/([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;

  async function changesSince(list: string): Promise<{ id: string; updated_at: string }[]> {
    const seen = [];
    for (let next: string | null = `${list}&limit=2&cursor=start`; next !== null; ) {
      const answer = await dealer.get(next);
      expect(answer.status, answer.text).toBe(200);
      seen.push(...answer.json.data);
      next = nextOf(answer);
    }
    return seen;
  }

  test.each(['vehicles', 'customers'] as const)(
    'returns the %s that changed in the order of their changes, deleted ones included',
    async (list) => {
      const make = async () => (await dealer.post(list, list === 'vehicles' ? aCar() : aPerson())).json.data;
      const [a, b, c, d] = [await make(), await make(), await make(), await make()];
      const since = (await make()).updated_at;
      const edit = list === 'vehicles' ? { color: 'Mavi' } : { note: 'aradı' };
      for (const { id } of [c, a, b]) await dealer.patch(`${list}/${id}`, edit);
      await dealer.delete(`${list}/${d.id}`);
      const changed = await changesSince(`${list}?updated_since=${since}`);
      expect(changed.slice(1).map(({ id }) => id)).toEqual([c.id, a.id, b.id]);
      const times = changed.map(({ updated_at }) => updated_at);
      expect(times).toEqual(times.toSorted());
      expect((await changesSince(`${list}?updated_since=${since}&deleted=true`)).map(({ id }) => id)).toEqual([d.id]);
      expect((await changesSince(`${list}?deleted=true`)).map(({ id }) => id)).toContain(d.id);
      // The next synchronisation starts at the newest record of the last page: that record again, and nothing lost.
      expect((await changesSince(`${list}?updated_since=${times.at(-1)}`)).map(({ id }) => id)).toEqual([b.id]);
    },
  );

  test('an erased customer is among the deleted ones, without personal data', async () => {
    const { json } = await dealer.get('customers?deleted=true&limit=1');
    expect(Object.keys(json.data[0])).toEqual([
      'id',
      'first_name',
      'last_name',
      'phone',
      'email',
      'risk_level',
      'created_at',
      'updated_at',
    ]);
  });
});

describe('external_ref', () => {
  test.each(['vehicles', 'customers'] as const)(
    'of %s is stored, returned, filtered exactly and freed by deletion',
    async (list) => {
      const make = (external_ref: string) =>
        dealer.post(list, list === 'vehicles' ? aCar({ external_ref }) : aPerson({ external_ref }));
      const made = await make('REF-1');
      const { id } = made.json.data;
      await make('REF-10');
      expect(made.json.data.external_ref).toBe('REF-1');
      expect((await dealer.get(`${list}/${id}`)).json.data.external_ref).toBe('REF-1');
      const found = (await dealer.get(`${list}?external_ref=REF-1`)).json.data;
      expect(found.map((one: { id: string }) => one.id)).toEqual([id]);
      expect(found[0]).not.toHaveProperty('external_ref');
      expect((await make('REF-1')).json.error.code).toBe('external_ref_in_use');
      expect((await dealer.patch(`${list}/${id}`, { external_ref: 'REF-2' })).json.data.external_ref).toBe('REF-2');
      expect((await dealer.get(`${list}?external_ref=REF-1`)).json.data).toEqual([]);
      await dealer.delete(`${list}/${id}`);
      expect((await make('REF-2')).status).toBe(201);
      expect((await dealer.get(`${list}?external_ref=REF-2&deleted=true`)).json.data).toHaveLength(1);
    },
  );

  test('is in the export and in the events of a vehicle', async () => {
    const [event] = await eventsBy(api, dealer.accountId, () => dealer.post('vehicles', aCar({ external_ref: 'EX;"1' })));
    expect(event!.payload.data.object.external_ref).toBe('EX;"1');
    const json = (await dealer.get('vehicles/export?format=json')).json.data;
    expect(json.rows.find((row: { id: string }) => row.id === event!.id).external_ref).toBe('EX;"1');
    const { content } = (await dealer.get('vehicles/export')).json.data;
    expect(content.split('\n')[0]).toMatch(/updated_at;external_ref\r?$/);
    expect(content).toContain('"EX;""1"');
  });
});

describe('q', () => {
  const plates = async (q: string): Promise<string[]> =>
    (await dealer.get(`vehicles?limit=100&q=${encodeURIComponent(q)}`)).json.data
      .map(({ plate }: { plate: string }) => plate)
      .toSorted();

  test('finds vehicles by every word as a part of plate, brand, model or trim, with Turkish letters folded, never by chassis', async () => {
    await newCar({ brand: 'Şahin', model: 'Doğan SLX', trim: 'İkinci El', plate: '34 QZ 991', chassis_no: 'CHASSISQ1' });
    await newCar({ brand: 'Şahin', model: 'Kartal', plate: '34 QZ 992' });
    expect(await plates('sahin')).toEqual(['34 QZ 991', '34 QZ 992']);
    expect(await plates('ŞAHİN dogan')).toEqual(['34 QZ 991']);
    expect(await plates('34qz992')).toEqual(['34 QZ 992']);
    expect(await plates(' QZ  34 ')).toEqual(['34 QZ 991', '34 QZ 992']);
    expect(await plates('IKINCI')).toEqual(['34 QZ 991']);
    expect(await plates('sahin golf')).toEqual([]);
    expect(await plates('CHASSISQ1')).toEqual([]);
    expect(await plates('%')).toEqual([]);
    expect((await dealer.get(`vehicles?q=${'a'.repeat(81)}`)).json.error.param).toBe('q');
    expect((await dealer.get('vehicles/export?format=json&q=sahin')).json.data.row_count).toBe(2);
  });

  test('finds customers by name, phone and e-mail', async () => {
    await dealer.post(
      'customers',
      aPerson({ first_name: 'Çağla', last_name: 'Öztürk', email: 'cagla@quux.example', phone: '0542 765 43 21' }),
    );
    for (const q of ['ozturk cagla', 'quux', '7654321', 'ÇAĞ quux'])
      expect((await dealer.get(`customers?q=${encodeURIComponent(q)}`)).json.data, q).toHaveLength(1);
    expect((await dealer.get('customers?q=cagla%20yilmaz')).json.data).toEqual([]);
  });
});

test('every record of this dealer has a timestamp', async () => {
  const [late] = await api.database.inTenant(dealer.accountId, 'read', (db) =>
    db.rows(sql`select id from ${own('vehicles')} where updated_at > (select stamped_at from ${own('data_sets')})`),
  );
  expect(late).toBeUndefined();
});
