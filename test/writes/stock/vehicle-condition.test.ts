// The condition of a vehicle: stated or not, replaced as a whole, locked by deals, and emitted.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importRows, importTarget } from '../../../src/domain/imports/targets/import-rows.ts';
import { newId } from '../../../src/kit/ids.ts';
import { eventsBy } from '../../support/events.ts';
import { TEST_ACTOR, type TestService, testService } from '../../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../../support/writer.ts';

let api: TestService;
let dealer: Dealer;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api);
});
afterAll(() => api.close());

const NOTHING = {
  painted: [],
  locally_painted: [],
  replaced: [],
  tramer_amount: null,
  tramer_currency: null,
  expertise_document_id: null,
};
const made = async (overrides: Record<string, unknown> = {}) => (await dealer.post('vehicles', aCar(overrides))).json.data;
const detail = async (id: string) => (await dealer.get(`vehicles/${id}`)).json.data;

describe('a vehicle’s condition', () => {
  test('is null when nothing is stated; empty lists state that no part was changed', async () => {
    const { id, condition } = await made();
    expect(condition).toBeNull();
    expect((await detail(id)).condition).toBeNull();
    const whole = await dealer.patch(`vehicles/${id}`, { condition: { painted: [], replaced: [] } });
    expect(whole.json.data.condition).toEqual(NOTHING);
    expect((await dealer.patch(`vehicles/${id}`, { condition: null })).json.data.condition).toBeNull();
  });

  test('lists parts in a fixed order, amounts with two decimals, in lira by default', async () => {
    const condition = {
      painted: ['Sağ Arka Kapı', 'Tavan'],
      locally_painted: ['Sol Ön Kapı', 'Ön Tampon'],
      replaced: ['Motor Kaputu'],
      tramer_amount: 12500.5,
    };
    const shown = {
      painted: ['Tavan', 'Sağ Arka Kapı'],
      locally_painted: ['Ön Tampon', 'Sol Ön Kapı'],
      replaced: ['Motor Kaputu'],
      tramer_amount: '12500.50',
      tramer_currency: 'TL',
      expertise_document_id: null,
    };
    const vehicle = await made({ condition });
    expect(vehicle.condition).toEqual(shown);
    expect((await detail(vehicle.id)).condition).toEqual(shown);
    expect(Object.keys((await detail(vehicle.id)).condition)).toEqual(Object.keys(shown));
    const none = await dealer.patch(`vehicles/${vehicle.id}`, { condition: { tramer_amount: '0', tramer_currency: 'STG' } });
    expect(none.json.data.condition).toEqual({ ...NOTHING, tramer_amount: '0.00', tramer_currency: 'STG' });
  });

  test('is replaced as a whole, with one history entry and one event; the same value again changes nothing', async () => {
    const { id } = await made({ condition: { painted: ['Tavan'], replaced: [], tramer_amount: '900' } });
    const before = (await detail(id)).condition;
    const events = await eventsBy(api, dealer.accountId, () =>
      dealer.patch(`vehicles/${id}`, { condition: { painted: [], replaced: ['Ön Tampon'] } }),
    );
    const after = { ...NOTHING, replaced: ['Ön Tampon'] };
    expect(events.map(({ kind, payload: { data } }) => [kind, data.changed, data.previous])).toEqual([
      ['vehicle.updated', ['condition'], { condition: before }],
    ]);
    const [entry] = (await dealer.get(`vehicles/${id}/history`)).json.data;
    expect(entry).toMatchObject({ event: 'updated', changes: [{ field: 'condition', old: before, new: after }] });
    const { updated_at } = await detail(id);
    api.clock.advance(1000);
    const same = await dealer.patch(`vehicles/${id}`, { condition: { replaced: ['Ön Tampon'], painted: [] } });
    expect(same.json.data.updated_at).toBe(updated_at);
  });

  test.each([
    [{ painted: ['Tavan', 'Tavan'] }, 'condition.painted duplicate'],
    [{ painted: ['Tavan'], replaced: ['Tavan'] }, 'condition.replaced duplicate'],
    [{ painted: ['Tavan'], locally_painted: ['Tavan'] }, 'condition.locally_painted duplicate'],
    [{ locally_painted: ['Tavan'], replaced: ['Tavan'] }, 'condition.replaced duplicate'],
    [{ painted: ['Kaput'] }, 'condition.painted not_allowed'],
    [{ painted: null }, 'condition.painted required'],
    [{ tramer_amount: '-1' }, 'condition.tramer_amount invalid_amount'],
    [{ tramer_amount: '1', tramer_currency: 'TRY' }, 'condition.tramer_currency invalid_currency'],
    [{ tramer_currency: 'TL' }, 'condition.tramer_amount required'],
    [{ rust: true }, 'condition.rust unknown_field'],
    [[], 'condition invalid'],
    ['whole', 'condition invalid'],
  ])('%o is refused: %s', async (condition, fault) => {
    const answer = await dealer.post('vehicles', aCar({ condition }));
    const { code, details } = answer.json.error;
    const reported = details.map((one: { field: string; code: string }) => `${one.field} ${one.code}`);
    expect([answer.status, code, ...reported]).toEqual([422, 'validation_failed', fault]);
  });

  test('names no report while there are no documents', async () => {
    const condition = { painted: [], replaced: [], expertise_document_id: newId() };
    const { id } = await made();
    for (const answer of [
      await dealer.post('vehicles', aCar({ condition })),
      await dealer.patch(`vehicles/${id}`, { condition }),
    ]) {
      expect([answer.status, answer.json.error.code]).toEqual([422, 'unknown_reference']);
      expect(answer.json.error.details[0].field).toBe('condition.expertise_document_id');
    }
  });

  test('is locked in an auction and after a sale', async () => {
    const account = { id: dealer.accountId, timezone: 'Asia/Famagusta', country: 'KKTC', default_currency: 'STG' } as const;
    const plate = 'CND 001';
    async function* rows() {
      yield { row: 1, cells: { ...aCar({ plate }), status: "Auction'da" } as Record<string, unknown> };
    }
    const target = importTarget('vehicles', account, api.secrets);
    const job = {
      writer: api.service.parts.writer,
      account,
      kind: 'vehicles',
      target,
      clock: api.clock,
      actor: TEST_ACTOR,
    } as const;
    expect(await importRows({ ...job, rows: rows() })).toMatchObject({ created: 1 });
    const [auctioned] = (await dealer.get(`vehicles?plate=${encodeURIComponent(plate)}`)).json.data;
    const sold = await made();
    await dealer.post(`vehicles/${sold.id}/mark-sold`);
    for (const [{ id }, code] of [
      [auctioned, 'vehicle_in_auction'],
      [sold, 'vehicle_locked'],
    ]) {
      const answer = await dealer.patch(`vehicles/${id}`, { condition: { painted: [], replaced: [] } });
      expect([answer.status, answer.json.error.code]).toEqual([409, code]);
      expect(answer.json.error.details[0].field).toBe('condition');
    }
  });

  test('is neither exported nor imported', async () => {
    await made({ condition: { painted: ['Bagaj Kapağı'], replaced: [] } });
    expect((await dealer.get('vehicles/export')).text).not.toContain('Bagaj Kapağı');
    const connector = {
      name: 'x',
      type: 'csv',
      transport: 'inline',
      target: 'vehicles',
      key_field: 'plate',
      config: { mapping: { plate: 'Plaka', condition: 'Durum' } },
    };
    expect((await dealer.post('import/connectors', connector)).status).toBe(422);
  });
});
