// Consequences between subjects: raised once per change, after the events that precede them, in the same transaction.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createAccount } from '../../src/domain/accounts/accounts.ts';
import { CONSEQUENCES } from '../../src/domain/consequences.ts';
import { hold, release } from '../../src/domain/stock/reservations.ts';
import { lockVehicle } from '../../src/domain/stock/vehicle.ts';
import {
  addVehicle,
  deleteVehicle,
  editVehicle,
  markSold,
  publishVehicle,
  unpublishVehicle,
} from '../../src/domain/stock/vehicle-writes.ts';
import type { Writer } from '../../src/domain/writes/write.ts';
import { fail } from '../../src/kit/errors.ts';
import { newId } from '../../src/kit/ids.ts';
import type { Consequences, Work } from '../../src/kit/work.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { testWriter } from '../support/test-writer.ts';

let base: TestDatabase;
let admin: Session;
let writer: Writer;
let dataSet: string;
/** Events and consequences in the order in which they were raised. */
let raised: string[] = [];
let refusing: keyof Consequences | null = null;

const note = (name: keyof Consequences, detail: string) => {
  raised.push(`${name} ${detail}`.trim());
  if (refusing === name) fail('vehicle_locked', { words: { status: '', fields: '' } });
};
const recording: Consequences = {
  ...CONSEQUENCES,
  vehicleLeftStock: async (_, __, { except }) => note('vehicleLeftStock', except === null ? '' : `except ${except.slice(-4)}`),
  listingClosed: async (_, { vehicle_id }) => note('listingClosed', vehicle_id.length === 36 ? '' : 'without its car'),
  reservationEnded: async (_, { kind, outcome, source_id }) =>
    note('reservationEnded', `${kind} ${outcome}${source_id === null ? '' : ` ${source_id.slice(-4)}`}`),
};

beforeAll(async () => {
  base = await testDatabase();
  admin = await openSession(base.adminUrl);
  const actor = { type: 'system', name: 'test' } as const;
  const { id } = await base.database.onPlatform('write', (db) => createAccount(db, { name: 'Galeri' }, actor, new Date()));
  dataSet = id;
  writer = testWriter({ ...base, consequences: recording });
});
beforeEach(() => {
  raised = [];
  refusing = null;
});
afterAll(async () => {
  await admin.close();
  await base.close();
});

function write<T>(run: (work: Work) => Promise<T>): Promise<T> {
  const call = {
    dataSet,
    account: { id: dataSet, timezone: 'UTC' },
    actor: { type: 'system', name: 'test' },
    now: new Date(),
  } as const;
  return writer.write(call, (work) =>
    run({
      ...work,
      emit: (event) => {
        raised.push(event.kind);
        work.emit(event);
      },
    }),
  );
}

let plates = 0;
async function aCar(isListed = true): Promise<string> {
  const id = await write(async (work) => {
    const car = { brand: 'Fiat', model: 'Egea', model_year: 2020, km: 1, fuel_type: 'Benzin', transmission: 'Manuel' } as const;
    const place = { body_type: 'Sedan', color: 'Gri', plate: `CQ ${++plates}`, city: 'Girne', price: 100n } as const;
    return (await addVehicle(work, { ...car, ...place })).id;
  });
  if (isListed) await write((work) => publishVehicle(work, id, {}));
  raised = [];
  return id;
}

const SOURCE = newId();
const offered = async (id: string) =>
  write(async (work) => hold(work, await lockVehicle(work.db, id), { kind: 'Ağ Teklifi', source_id: SOURCE }));

test('a held vehicle leaves stock, except for the offer it is held for', async () => {
  await offered(await aCar());
  expect(raised).toEqual([
    'vehicle.reserved',
    'vehicle.status_changed',
    'listing.suspended',
    `vehicleLeftStock except ${SOURCE.slice(-4)}`,
  ]);
});

test('a failed agreement is emitted before the vehicle returns to the marketplace', async () => {
  const id = await aCar();
  await offered(id);
  raised = [];
  await write(async (work) => release(work, await lockVehicle(work.db, id), 'Serbest'));
  expect(raised).toEqual([
    'vehicle.reservation_released',
    'vehicle.status_changed',
    `reservationEnded Ağ Teklifi released ${SOURCE.slice(-4)}`,
    'listing.resumed',
  ]);
});

test('a sold vehicle that was held has already left stock; otherwise it leaves now', async () => {
  const held = await aCar();
  await offered(held);
  raised = [];
  await write((work) => markSold(work, held, {}));
  expect(raised).toEqual([
    'vehicle.sold',
    'vehicle.status_changed',
    'listing.closed',
    `reservationEnded Ağ Teklifi completed ${SOURCE.slice(-4)}`,
    'listingClosed',
  ]);
  const free = await aCar();
  await write((work) => markSold(work, free, {}));
  expect(raised).toEqual(['vehicle.sold', 'vehicle.status_changed', 'listing.closed', 'vehicleLeftStock', 'listingClosed']);
});

test('deleting removes the vehicle from stock; unpublishing and editing do not', async () => {
  const id = await aCar();
  await write((work) => editVehicle(work, id, { km: 5 }));
  expect(raised).toEqual(['vehicle.updated']);
  raised = [];
  await write((work) => unpublishVehicle(work, id));
  expect(raised).toEqual(['listing.closed', 'vehicle.unpublished', 'listingClosed']);
  raised = [];
  await write((work) => deleteVehicle(work, id));
  expect(raised).toEqual(['vehicle.deleted', 'vehicleLeftStock']);
});

test('a refusal by any subject rolls back everything', async () => {
  const id = await aCar();
  refusing = 'listingClosed';
  await expect(write((work) => markSold(work, id, {}))).rejects.toMatchObject({ code: 'vehicle_locked' });
  const [car] =
    await admin.rows(`select status, (select count(*)::int from listings where vehicle_id = v.id and status = 'Yayında') as listed,
    (select count(*)::int from events where resource_id = v.id and kind = 'vehicle.sold') as emitted from vehicles v where id = '${id}'`);
  expect(car).toEqual({ status: 'Stokta', listed: 1, emitted: 0 });
});
