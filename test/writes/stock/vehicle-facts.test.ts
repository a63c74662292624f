// The facts of a vehicle that buyers ask about: engine, drive, steering, owners, inspection, equipment, warranty.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importRows, importTarget } from '../../../src/domain/imports/targets/import-rows.ts';
import { dataOf, type Shown } from '../../support/books.ts';
import { TEST_ACTOR, type TestService, testService } from '../../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../../support/writer.ts';

const FACTS = {
  engine_cc: 1598,
  power_hp: 115,
  drive: 'Önden',
  steering: 'Sağ',
  doors: 5,
  seats: 7,
  owners: 0,
  inspection_until: '2027-05-31',
  equipment: ['Klima', 'Cam tavan'],
  warranty: '2 yıl ya da 40.000 km',
};
const UNSTATED = Object.fromEntries(Object.keys(FACTS).map((name) => [name, null]));

let api: TestService;
let dealer: Dealer;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api);
});
afterAll(() => api.close());

const made = async (overrides: Record<string, unknown> = {}) => dataOf(await dealer.post('vehicles', aCar(overrides))) as Shown;

describe('the facts of a vehicle', () => {
  test('are null until stated, and are returned by the detail, never by the list', async () => {
    const without = await made();
    expect(without).toMatchObject(UNSTATED);
    const car = await made(FACTS);
    expect(car).toMatchObject(FACTS);
    expect(dataOf(await dealer.get(`vehicles/${car.id}`))).toMatchObject(FACTS);
    const [listed] = dataOf(await dealer.get(`vehicles?plate=${encodeURIComponent(String(car.plate))}`)) as Shown[];
    expect(Object.keys(listed!)).toHaveLength(17);
    expect(dataOf(await dealer.patch(`vehicles/${car.id}`, UNSTATED))).toMatchObject(UNSTATED);
  });

  test('change with a history entry each time; the same values again change nothing', async () => {
    const car = await made(FACTS);
    dataOf(await dealer.patch(`vehicles/${car.id}`, { equipment: ['Klima'], owners: 1 }));
    const entries = dataOf(await dealer.get(`vehicles/${car.id}/history`)) as Shown[];
    expect(entries[0]).toMatchObject({
      event: 'updated',
      changes: [
        { field: 'equipment', old: ['Klima', 'Cam tavan'], new: ['Klima'] },
        { field: 'owners', old: 0, new: 1 },
      ],
    });
    dataOf(await dealer.patch(`vehicles/${car.id}`, { equipment: ['Klima'], owners: 1 }));
    expect(dataOf(await dealer.get(`vehicles/${car.id}/history`))).toHaveLength(entries.length);
  });

  test('a text that is repeated in the equipment is kept once', async () => {
    const { equipment } = await made({ equipment: ['Klima', ' klima ', 'Isıtma', 'ISITMA', 'Cam  tavan'] });
    expect(equipment).toEqual(['Klima', 'Isıtma', 'Cam tavan']);
    expect((await made({ equipment: [] })).equipment).toEqual([]);
  });

  test.each([
    [{ engine_cc: 49 }, 'engine_cc out_of_range'],
    [{ engine_cc: 1.6 }, 'engine_cc invalid'],
    [{ power_hp: 3001 }, 'power_hp out_of_range'],
    [{ drive: 'Önde' }, 'drive not_allowed'],
    [{ steering: 'Orta' }, 'steering not_allowed'],
    [{ doors: 1 }, 'doors out_of_range'],
    [{ seats: 61 }, 'seats out_of_range'],
    [{ owners: -1 }, 'owners out_of_range'],
    [{ inspection_until: '2027-02-30' }, 'inspection_until invalid'],
    [{ equipment: 'Klima' }, 'equipment invalid'],
    [{ equipment: ['x'.repeat(41)] }, 'equipment too_long'],
    [{ equipment: Array.from({ length: 61 }, (_, n) => `x${n}`) }, 'equipment out_of_range'],
    [{ warranty: 'x'.repeat(201) }, 'warranty too_long'],
  ])('%o is refused: %s', async (input, fault) => {
    const answer = await dealer.post('vehicles', aCar(input));
    const { code, details } = answer.json.error;
    const reported = details.map((one: { field: string; code: string }) => `${one.field} ${one.code}`);
    expect([answer.status, code, ...reported]).toEqual([422, 'validation_failed', fault]);
  });

  test('their limits are accepted, and hold in the database', async () => {
    const limits = { engine_cc: 10_000, power_hp: 3_000, doors: 6, seats: 60, owners: 20, warranty: 'ş'.repeat(200) };
    const equipment = Array.from({ length: 60 }, (_, n) => `${n} ${'"'.repeat(40)}`.slice(0, 40));
    expect(await made({ ...limits, equipment })).toMatchObject({ ...limits, equipment });
    await expect(api.vehicle(dealer.accountId, { engine_cc: 10_001 })).rejects.toThrow('vehicles_facts_valid');
  });

  test('cannot change after a sale', async () => {
    const car = await made(FACTS);
    dataOf(await dealer.post(`vehicles/${car.id}/mark-sold`));
    const answer = await dealer.patch(`vehicles/${car.id}`, { owners: 3, equipment: [] });
    expect([answer.status, answer.json.error.code]).toEqual([409, 'vehicle_locked']);
    expect(answer.json.error.details.map((one: { field: string }) => one.field).toSorted()).toEqual(['equipment', 'owners']);
  });

  test('are read from the cells of a file', async () => {
    const account = { id: dealer.accountId, timezone: 'Asia/Famagusta', country: 'KKTC', default_currency: 'STG' } as const;
    const cells = {
      engine_cc: '1.598',
      drive: 'önden',
      doors: '5',
      inspection_until: '31.05.2027',
      equipment: 'Klima; Cam tavan,Klima',
    };
    async function* rows() {
      yield { row: 1, cells: { ...aCar({ plate: 'FCT 001' }), ...cells } as Record<string, unknown> };
    }
    const done = await importRows({
      writer: api.service.parts.writer,
      account,
      kind: 'vehicles',
      target: importTarget('vehicles', account, api.secrets),
      clock: api.clock,
      actor: TEST_ACTOR,
      rows: rows(),
    });
    expect(done).toMatchObject({ created: 1, errors: [] });
    const [{ id }] = dataOf(await dealer.get('vehicles?plate=FCT001')) as [Shown];
    expect(dataOf(await dealer.get(`vehicles/${id}`))).toMatchObject({
      engine_cc: 1598,
      drive: 'Önden',
      doors: 5,
      inspection_until: '2027-05-31',
      equipment: ['Klima', 'Cam tavan'],
    });
  });
});
