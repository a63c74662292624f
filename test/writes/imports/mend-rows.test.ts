// A refused row, corrected in the panel by the person who sent the file: imported once, by that person only, without the file.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Importer } from '../../../src/jobs/run-imports.ts';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import { type Browser, newPerson, signedIn } from '../../panel/people.ts';
import { carConnector, csvOf, feedCar, newImporter } from '../../support/imports.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, newDealer, openAll } from '../../support/writer.ts';

type Fields = Record<string, unknown>;

let api: TestService;
let admin: Session;
let importer: Importer;
let dealer: Dealer;
let sender: Browser;
let colleague: Browser;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  admin = await openSession(api.adminUrl);
  importer = newImporter(api);
});
afterAll(async () => {
  await importer.close();
  await admin.close();
  await api.close();
});
beforeEach(async () => {
  dealer = await newDealer(api);
  sender = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
  colleague = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
});

const dataOf = ({ status, text, json }: { status: number; text: string; json: { data: unknown } }): Fields => {
  expect(status, text).toBeLessThan(300);
  return json.data as Fields;
};

/** A run that the sender started in the panel, and its errors. */
async function ran(rows: readonly Fields[], dry_run = false): Promise<{ run: string; errors: readonly Fields[] }> {
  const mapping = { ...carConnector().config.mapping, chassis_no: 'Şase No', stock_date: 'Geliş' };
  const connector = dataOf(await dealer.post('import/connectors', carConnector({}, { mapping })));
  const body = { content: csvOf(rows), dry_run };
  const { id } = dataOf(await sender.api(`v1/import/connectors/${connector.id}/run`, { method: 'POST', body }));
  await importer.drain();
  const errors = dataOf(await sender.api(`v1/import/runs/${id}/errors`)) as unknown as readonly Fields[];
  return { run: String(id), errors };
}
const rowPath = (run: string, error: Fields) => `import/runs/${run}/errors/${error.id}/row`;
const counts = async (run: string) => {
  const { status, total_rows, created_count, updated_count, unchanged_count, error_count } = dataOf(
    await sender.api(`v1/import/runs/${run}`),
  );
  return `${status}: ${total_rows} = ${created_count} + ${updated_count} + ${unchanged_count} + ${error_count}`;
};
const mend = (browser: Browser, run: string, error: Fields, values: Fields) =>
  browser.api(rowPath(run, error), { method: 'POST', body: { values } });
const cars = (plate: string) =>
  admin.rows<{ km: number; price_minor: bigint; chassis_no: string | null }>(
    'select km, price_minor, chassis_no from vehicles where account_id = $1 and plate = $2',
    [dealer.accountId, plate],
  );

const WRONG = feedCar('MR 2', { KM: 'çok az', Fiyat: 'sorunuz', 'Şase No': 'GIZLI1234', Geliş: '15.8.26' });

test('shows its row in the spreadsheet, the column, both languages, and examples as they are written', async () => {
  const { run, errors } = await ran([feedCar('MR 1', { 'Şase No': 'A1', Geliş: '' }), WRONG]);
  expect(await counts(run)).toBe('Kısmen Tamamlandı: 2 = 1 + 0 + 0 + 1');
  expect(errors.map(({ row_number, field, code }) => [row_number, field, code])).toEqual([
    [2, 'km', 'invalid'],
    [2, 'price', 'invalid_amount'],
  ]);
  const ids = errors.map(({ id }) => id).join(',');
  const details = async (browser: Browser, locale: string) =>
    dataOf(await browser.api(`import/runs/${run}/error-details?ids=${ids}`, { headers: { 'accept-language': locale } }));
  const [km, price] = errors.map(({ id }) => String(id)) as [string, string];
  const tr = (await details(sender, 'tr')) as Record<string, Fields>;
  expect(tr[km]).toMatchObject({ sheet_row: 3, sheet_column: 'E', value: 'çok az', can_mend: true });
  expect(tr[km]!.message).toContain('84.000 km');
  expect(tr[price]!.message).toContain('620.000 TL');
  const en = (await details(sender, 'en')) as Record<string, Fields>;
  expect(en[price]!.message).toContain('cannot be read');
  const other = (await details(colleague, 'tr')) as Record<string, Fields>;
  expect(other[km]).toMatchObject({ value: null, can_mend: false });
});

test('is imported with the corrected values and the rest of the row; hidden values stay hidden', async () => {
  const { run, errors } = await ran([feedCar('MR 1', { 'Şase No': 'A1', Geliş: '' }), WRONG]);
  const [error] = errors as [Fields];
  const { fields } = dataOf(await sender.api(rowPath(run, error))) as { fields: Fields[] };
  const field = (name: string) => fields.find((one) => one.field === name);
  expect(field('km')).toEqual({ field: 'km', value: 'çok az', is_hidden: false });
  expect(field('chassis_no')).toEqual({ field: 'chassis_no', value: null, is_hidden: true });
  expect(JSON.stringify(fields)).not.toContain('GIZLI');

  const half = await mend(sender, run, error, { km: '84 bin' });
  expect([half.status, half.json.error.details.map(({ field }: Fields) => field)]).toEqual([422, ['price']]);
  expect(await cars('MR 2')).toEqual([]);
  expect(dataOf(await mend(sender, run, error, { km: '84 bin', price: '£13,500' }))).toEqual({ outcome: 'created' });
  expect(await cars('MR 2')).toEqual([{ km: 84_000, price_minor: 1_350_000n, chassis_no: 'GIZLI1234' }]);
  expect(await counts(run)).toBe('Tamamlandı: 2 = 2 + 0 + 0 + 0');
  expect(dataOf(await sender.api(`v1/import/runs/${run}/errors`))).toEqual([]);
  const kept = await admin.rows('select row_encrypted, value, mended_as from import_row_errors where run_id = $1', [run]);
  expect(kept).toEqual([
    { row_encrypted: null, value: null, mended_as: 'created' },
    { row_encrypted: null, value: null, mended_as: 'created' },
  ]);
});

test('is imported once, however often it is sent', async () => {
  const { run, errors } = await ran([WRONG]);
  expect(await counts(run)).toBe('Başarısız: 1 = 0 + 0 + 0 + 1');
  const values = { km: '1', price: '2' };
  const answers = await Promise.all(Array.from({ length: 4 }, () => mend(sender, run, errors[0]!, values)));
  expect(answers.map(({ status, json }) => [status, json.data.outcome])).toEqual(
    Array.from({ length: 4 }, () => [200, 'created']),
  );
  // By its other error too.
  expect(dataOf(await mend(sender, run, errors[1]!, { km: '99' }))).toEqual({ outcome: 'created' });
  expect((await cars('MR 2')).map(({ km }) => km)).toEqual([1]);
  expect(await counts(run)).toBe('Tamamlandı: 1 = 1 + 0 + 0 + 0');
});

test('belongs to the person who sent the file, in a run that wrote', async () => {
  const { run, errors } = await ran([WRONG]);
  const stranger = await signedIn(api, await newPerson(api, { accountId: await api.account() }));
  for (const browser of [colleague, stranger]) {
    expect((await browser.api(rowPath(run, errors[0]!))).status).toBe(404);
    expect((await mend(browser, run, errors[0]!, { km: '1', price: '2' })).status).toBe(404);
  }
  expect((await mend(sender, run, errors[0]!, { status: 'Satıldı' })).status).toBe(422);
  expect(await cars('MR 2')).toEqual([]);
  const trial = await ran([{ ...WRONG, Plaka: 'MR 3' }], true);
  expect((await mend(sender, trial.run, trial.errors[0]!, { km: '1', price: '2' })).status).toBe(404);
});
