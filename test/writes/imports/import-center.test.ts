// The endpoints of the import center through HTTP: valid connectors, runs and their events.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eraseCustomer } from '../../../src/domain/customers/customer-erase.ts';
import type { Importer } from '../../../src/jobs/run-imports.ts';
import { own, sql } from '../../../src/kit/sql.ts';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import { eventsBy } from '../../support/events.ts';
import { CAR_MAPPING, carConnector, csvOf, feedCar, newImporter } from '../../support/imports.ts';
import { type Answer, TEST_ACTOR, type TestService, testService } from '../../support/service.ts';
import { sheetRows, workbookFile } from '../../support/workbooks.ts';
import { aCar, aPerson, type Dealer, newDealer, openAll } from '../../support/writer.ts';

let api: TestService;
let admin: Session;
let importer: Importer;
let dealer: Dealer;
beforeAll(async () => {
  api = await testService({ env: { ALLOW_LOOPBACK_TARGETS: 'on' } });
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
});

type Fields = Record<string, unknown>;
const make = async (overrides: Fields = {}, config: Fields = {}): Promise<string> => {
  const { status, text, json } = await dealer.post('import/connectors', carConnector(overrides, config));
  expect(status, text).toBe(201);
  return json.data.id;
};
const verdict = ({ status, json }: Answer) =>
  [status, json.error?.code, ...(json.error?.details ?? []).map((one: Fields) => `${one.field} ${one.code}`)].join(' ');
const run = async (connector: string, body: Fields): Promise<Fields> => {
  const reply = await dealer.post(`import/connectors/${connector}/run`, body);
  expect(reply.status, reply.text).toBe(202);
  await importer.drain();
  return (await dealer.get(`import/runs/${reply.json.data.id}`)).json.data;
};
const runRows = (connector: string, rows: Fields[], more: Fields = {}) => run(connector, { content: csvOf(rows), ...more });
const errorsOf = async (id: unknown, query = '') => (await dealer.get(`import/runs/${id}/errors${query}`)).json.data;
const faults = async (id: unknown) =>
  (await errorsOf(id)).map((one: Fields) => `${one.row_number} ${one.key} ${one.field} ${one.code}`);
const counts = ({ status, total_rows, created_count, updated_count, unchanged_count, error_count }: Fields) =>
  `${status}: ${total_rows} = ${created_count} + ${updated_count} + ${unchanged_count} + ${error_count}`;
const stock = async () => (await dealer.get('vehicles?limit=100')).json.data as Fields[];

describe('a connector', () => {
  test('is created, shown, changed and removed; its credentials are never returned', async () => {
    const url = 'http://127.0.0.1:9/stok.csv';
    const credentials = { username: 'galeri', password: 'CREDENTIALS7KEPT', headers: { 'X-Api-Key': 'CREDENTIALS7KEPT' } };
    const seen: Answer[] = [];
    let id = '';
    const emitted = await eventsBy(api, dealer.accountId, async () => {
      const made = await dealer.post(
        'import/connectors',
        carConnector({ transport: 'url', schedule: 'Günlük', credentials }, { url }),
      );
      expect(made.json.data).toMatchObject({ status: 'Aktif', schedule: 'Günlük', has_credentials: true, last_run_at: null });
      expect(made.json.data.config).toEqual({
        url,
        delimiter: null,
        encoding: null,
        record_path: null,
        sheet: null,
        header_row: null,
        number_format: null,
        mapping: CAR_MAPPING,
        defaults: { city: 'Lefkoşa', currency: 'STG' },
        value_map: { transmission: { Düz: 'Manuel' } },
      });
      id = made.json.data.id;
      const path = `import/connectors/${id}`;
      const edited = await dealer.patch(path, { name: 'Gece', config: { delimiter: '|', encoding: 'Windows-1254' } });
      expect(edited.json.data).toMatchObject({ name: 'Gece', has_credentials: true });
      expect(edited.json.data.config).toMatchObject({ url, delimiter: '|', encoding: 'windows-1254', mapping: CAR_MAPPING });
      seen.push(made, edited, await dealer.patch(path, { name: 'Gece', target: 'vehicles' }));
      const forgotten = await dealer.patch(path, { credentials: null });
      expect(forgotten.json.data.has_credentials).toBe(false);
      seen.push(forgotten, await dealer.patch(path, { credentials: { token: 'CREDENTIALS7KEPT' } }), await dealer.get(path));
      const removed = await dealer.delete(path);
      expect(removed.json.data).toMatchObject({ id, status: 'Pasif', has_credentials: false });
      seen.push(removed, await dealer.get(path), await dealer.get('import/connectors'));
      expect(verdict(await dealer.get(path))).toBe('404 not_found');
      expect(verdict(await dealer.delete(path))).toBe('404 not_found');
    });
    expect(emitted.map(({ kind }) => kind)).toEqual([
      'import_connector.created',
      'import_connector.updated',
      'import_connector.updated',
      'import_connector.updated',
      'import_connector.deleted',
    ]);
    expect(emitted[1]!.payload.data).toMatchObject({ changed: ['name', 'config'], previous: { name: 'Stok dosyası' } });
    for (const { text } of seen) expect(text).not.toContain('CREDENTIALS7KEPT');
    for (const { payload } of emitted) expect(JSON.stringify(payload)).not.toContain('CREDENTIALS7KEPT');
    const kept = await admin.rows<{ credentials_encrypted: Buffer | null; next_run_at: Date | null }>(
      'select credentials_encrypted, next_run_at from import_connectors where id = $1',
      [id],
    );
    expect(kept).toEqual([{ credentials_encrypted: null, next_run_at: null }]);
  });

  test('encrypts credentials in the database', async () => {
    await make({ credentials: { token: 'CREDENTIALS7KEPT' } });
    const [row] = await admin.rows<{ bytes: Buffer }>(
      'select credentials_encrypted as bytes from import_connectors order by created_at desc limit 1',
    );
    expect(row!.bytes.toString('latin1')).not.toContain('CREDENTIALS');
  });

  test('binds credentials to their origin: another address does not receive them', async () => {
    const config = { url: 'http://127.0.0.1:9/a.csv' };
    const id = await make({ transport: 'url', credentials: { token: 't' } }, config);
    const path = `import/connectors/${id}`;
    expect((await dealer.patch(path, { config: { url: 'http://127.0.0.1:9/b.csv' } })).json.data.has_credentials).toBe(true);
    expect((await dealer.patch(path, { config: { url: 'http://127.0.0.1:10/b.csv' } })).json.data.has_credentials).toBe(false);
  });

  const CUSTOMER = { target: 'customers', key_field: 'phone' };
  const PEOPLE = { first_name: 'Ad', last_name: 'Soyad', phone: 'Tel' };
  const { price: _, ...WITHOUT_PRICE } = CAR_MAPPING;
  test.each<[string, Fields, Fields, string]>([
    [
      'an unknown field',
      {},
      { mapping: { ...CAR_MAPPING, kilometre: 'KM' } },
      '422 bad_mapping config.mapping.kilometre unknown_field',
    ],
    ['a state', {}, { mapping: { ...CAR_MAPPING, status: 'Durum' } }, '422 bad_mapping config.mapping.status unknown_field'],
    [
      'a field of the prototype',
      {},
      { defaults: { city: 'x', toString: 'x' } },
      '422 bad_mapping config.defaults.toString unknown_field',
    ],
    ['a required field from nowhere', {}, { mapping: WITHOUT_PRICE }, '422 bad_mapping config.mapping.price required'],
    ['a key that is not mapped', { key_field: 'external_ref' }, {}, '422 bad_mapping config.mapping.external_ref required'],
    ['a key of the other target', { key_field: 'phone' }, {}, '422 validation_failed key_field not_allowed'],
    [
      'a plate as key of people',
      { ...CUSTOMER, key_field: 'plate' },
      { mapping: PEOPLE, defaults: {}, value_map: {} },
      '422 validation_failed key_field not_allowed',
    ],
    [
      'a default that the field does not take',
      {},
      { defaults: { city: 'x', km: -1 } },
      '422 validation_failed config.defaults.km out_of_range',
    ],
    [
      'a word that is none of ours',
      {},
      { value_map: { transmission: { Düz: 'Robot' } } },
      '422 validation_failed config.value_map.transmission.Düz not_allowed',
    ],
    [
      'a cost for all',
      {},
      { defaults: { city: 'x', purchase_price: 5 } },
      '422 validation_failed config.defaults.purchase_price not_allowed',
    ],
    ['a custom delimiter', {}, { delimiter: '#' }, '422 validation_failed config.delimiter not_allowed'],
    ['a custom encoding', {}, { encoding: 'ebcdic' }, '422 validation_failed config.encoding not_allowed'],
    ['a path with holes', {}, { record_path: 'a..b' }, '422 validation_failed config.record_path invalid'],
    ['an unknown member', {}, { tab: 1 }, '422 validation_failed config.tab unknown_field'],
    ['a sheet without a name', {}, { sheet: 1 }, '422 validation_failed config.sheet invalid'],
    ['a mapping that is a list', {}, { mapping: ['plate'] }, '422 validation_failed config.mapping invalid'],
    ['an address for content', {}, { url: 'https://example.com/a.csv' }, '422 validation_failed config.url not_allowed'],
    ['no address', { transport: 'url' }, {}, '422 validation_failed config.url required'],
    [
      'an address inside',
      { transport: 'url' },
      { url: 'https://10.0.0.1/a.csv' },
      '422 url_not_allowed config.url url_not_allowed',
    ],
    [
      'an address with a password',
      { transport: 'url' },
      { url: 'https://u:p@example.com/a' },
      '422 url_not_allowed config.url url_not_allowed',
    ],
    ['plain http', { transport: 'url' }, { url: 'http://example.com/a.csv' }, '422 url_not_allowed config.url url_not_allowed'],
    ['content on a schedule', { schedule: 'Saatlik' }, {}, '422 validation_failed schedule not_allowed'],
    ['empty credentials', { credentials: {} }, {}, '422 validation_failed credentials required'],
    ['two ways in', { credentials: { token: 'a', username: 'b' } }, {}, '422 validation_failed credentials.token not_allowed'],
    [
      'a header that is the connection’s',
      { credentials: { headers: { Host: 'x' } } },
      {},
      '422 validation_failed credentials.headers.Host not_allowed',
    ],
    [
      'a header within a header',
      { credentials: { headers: { X: 'a\r\nHost: b' } } },
      {},
      '422 validation_failed credentials.headers.X not_allowed',
    ],
    ['an unknown secret', { credentials: { pin: '1' } }, {}, '422 validation_failed credentials.pin unknown_field'],
  ])('with %s is refused', async (_, fields, config, expected) => {
    expect(verdict(await dealer.post('import/connectors', carConnector(fields, config)))).toBe(expected);
    expect((await dealer.get('import/connectors')).json.data).toEqual([]);
  });

  test('keeps its target; an edit is validated with the stored fields; an edit without changes emits nothing', async () => {
    const id = await make();
    const path = `import/connectors/${id}`;
    expect(verdict(await dealer.patch(path, { target: 'customers' }))).toBe('422 validation_failed target not_allowed');
    expect(verdict(await dealer.patch(path, { transport: 'url' }))).toBe('422 validation_failed config.url required');
    expect(verdict(await dealer.patch(path, { key_field: 'external_ref' }))).toBe(
      '422 bad_mapping config.mapping.external_ref required',
    );
    expect(
      await eventsBy(api, dealer.accountId, () =>
        dealer.patch(path, { status: 'Aktif', config: { defaults: carConnector().config.defaults } }),
      ),
    ).toEqual([]);
    const moved = await dealer.patch(path, {
      transport: 'url',
      schedule: 'Saatlik',
      config: { url: 'https://example.com/a.csv' },
    });
    expect(moved.json.data).toMatchObject({ transport: 'url', schedule: 'Saatlik' });
    expect((await dealer.patch(path, { transport: 'inline', schedule: 'Elle' })).json.data.config.url).toBeNull();
  });

  test('is visible to its dealer only', async () => {
    const id = await make();
    const other = await newDealer(api);
    for (const answer of [
      await other.get(`import/connectors/${id}`),
      await other.patch(`import/connectors/${id}`, { name: 'x' }),
      await other.delete(`import/connectors/${id}`),
      await other.post(`import/connectors/${id}/run`, { content: 'x' }),
    ])
      expect(verdict(answer)).toBe('404 not_found');
  });
});

describe('a run', () => {
  test('waits in the queue; until it ends the connector cannot be changed', async () => {
    const id = await make();
    const path = `import/connectors/${id}`;
    const reply = await dealer.post(`${path}/run`, { content: csvOf([feedCar('RN 1')]) });
    expect([reply.status, reply.json.data.status]).toEqual([202, 'Sırada']);
    expect((await dealer.get(path)).json.data).toMatchObject({ last_run_status: 'Sırada' });
    for (const answer of [
      await dealer.post(`${path}/run`, { content: 'x' }),
      await dealer.patch(path, { name: 'x' }),
      await dealer.delete(path),
    ])
      expect(verdict(answer)).toBe('409 run_in_progress');
    await importer.drain();
    expect((await dealer.get(path)).json.data).toMatchObject({ last_run_status: 'Tamamlandı' });
    expect((await dealer.delete(path)).status).toBe(200);
    expect((await dealer.get(`import/runs/${reply.json.data.id}`)).json.data.status).toBe('Tamamlandı');
  });

  test('requires what its connector needs, and refuses anything else', async () => {
    const inline = `import/connectors/${await make()}`;
    const url = `import/connectors/${await make({ transport: 'url' }, { url: 'https://example.com/a.csv' })}`;
    expect(verdict(await dealer.post(`${inline}/run`))).toBe('422 content_required');
    expect(verdict(await dealer.post(`${inline}/run`, { content: '' }))).toBe('422 validation_failed content invalid');
    expect(verdict(await dealer.post(`${url}/run`, { content: 'x' }))).toBe('422 validation_failed content not_allowed');
    await dealer.patch(inline, { status: 'Pasif' });
    expect(verdict(await dealer.post(`${inline}/run`, { content: 'x' }))).toBe('409 connector_passive');
    await admin.rows('update accounts set "import" = false where id = $1', [dealer.accountId]);
    expect(verdict(await dealer.post(`${url}/run`))).toBe('403 capability_not_enabled');
    expect(verdict(await dealer.post('import/connectors', carConnector()))).toBe('403 capability_not_enabled');
  });

  test('accepts ten megabytes and not a byte more', async () => {
    const path = `import/connectors/${await make()}/run`;
    const max = 10 * 1024 * 1024;
    expect(verdict(await dealer.post(path, { content: 'x'.repeat(max + 1) }))).toBe('413 payload_too_large');
    const form = (size: number) => {
      const body = new FormData();
      body.append('dry_run', 'true');
      body.append('file', new Blob([Buffer.alloc(size, 'x')]), 'stok.csv');
      return fetch(`${api.service.url}/api/v1/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${dealer.key}` },
        body,
      });
    };
    expect((await form(max + 1)).status).toBe(413);
    expect((await form(max)).status).toBe(202);
    await importer.drain();
    const [{ id, status, failure_code, dry_run }] = (await dealer.get('import/runs')).json.data;
    expect({ status, failure_code, dry_run }).toEqual({ status: 'Başarısız', failure_code: 'row_too_long', dry_run: true });
    const left = await admin.rows('select part from import_contents where run_id = $1', [id]);
    expect(left).toEqual([]);
  });

  test('decodes a windows-1254 file as its connector declares; text inside JSON is not decoded again', async () => {
    const id = await make({}, { encoding: 'windows-1254' });
    const body = new FormData();
    const text = csvOf([feedCar('RN 10', { Renk: 'gümü\u00fe' })]);
    // The bytes that a Turkish Windows writes for ş, ü and ı.
    const bytes = Buffer.from(text.replaceAll('ş', '\u00fe').replaceAll('ı', '\u00fd'), 'latin1');
    body.append('file', new Blob([bytes]), 'stok.csv');
    const sent = await fetch(`${api.service.url}/api/v1/import/connectors/${id}/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${dealer.key}` },
      body,
    });
    expect(sent.status).toBe(202);
    await importer.drain();
    expect(await stock()).toMatchObject([{ plate: 'RN 10', color: 'gümüş' }]);
    expect(counts(await runRows(id, [feedCar('RN 10', { Renk: 'gümüş' })]))).toBe('Tamamlandı: 1 = 0 + 0 + 1 + 0');
  });

  test('of an Excel workbook reads numbers and text as Excel stores them, from the sheet that its connector names', async () => {
    const id = await make({}, { sheet: 'Kasım' });
    expect((await dealer.get(`import/connectors/${id}`)).json.data.config.sheet).toBe('Kasım');
    const car = feedCar('RN 15', { Fiyat: 14500.5, KM: 84_000 });
    const rows = sheetRows([Object.keys(car), Object.values(car) as (string | number)[]]);
    const sent = async (sheet: string) => {
      const body = new FormData();
      body.append('file', new Blob([new Uint8Array(workbookFile({ sheets: { Eski: '', [sheet]: rows } }))]), 'stok.xlsx');
      const headers = { authorization: `Bearer ${dealer.key}` };
      const { status } = await fetch(`${api.service.url}/api/v1/import/connectors/${id}/run`, { method: 'POST', headers, body });
      expect(status).toBe(202);
      await importer.drain();
      return (await dealer.get('import/runs')).json.data[0];
    };
    expect(counts(await sent('Kasım'))).toBe('Tamamlandı: 1 = 1 + 0 + 0 + 0');
    expect(await stock()).toMatchObject([{ plate: 'RN 15', price: '14500.50', km: 84_000, transmission: 'Manuel' }]);
    expect(counts(await sent('Kasım'))).toBe('Tamamlandı: 1 = 0 + 0 + 1 + 0');
    expect(await sent('Aralık')).toMatchObject({ status: 'Başarısız', failure_code: 'sheet_not_found' });
  });

  test('reads numbers and dates as a Turkish spreadsheet writes them, or as the connector declares', async () => {
    const id = await make({}, { mapping: { ...CAR_MAPPING, stock_date: 'Giriş' } });
    const tr = feedCar('NF 1', { KM: '84.000', Fiyat: '5.000,50', Giriş: '03.11.2026' });
    expect(counts(await runRows(id, [tr, feedCar('NF 2', { KM: '84.000,00', Fiyat: '1.250.000' })]))).toBe(
      'Tamamlandı: 2 = 2 + 0 + 0 + 0',
    );
    const found = (await stock()).map(({ plate, km, price }) => `${plate} ${km} ${price}`).sort();
    expect(found).toEqual(['NF 1 84000 5000.50', 'NF 2 84000 1250000.00']);
    // The connector's format overrides detection: in English, three digits after a point are a fraction.
    expect((await dealer.patch(`import/connectors/${id}`, { config: { number_format: 'en' } })).json.data.config).toMatchObject({
      number_format: 'en',
    });
    const strict = await runRows(id, [
      feedCar('NF 1', { KM: '84.000', Fiyat: '5,000.75', Giriş: '' }),
      feedCar('NF 2', { Fiyat: '5.00.0' }),
    ]);
    expect(await faults(strict.id)).toEqual(['1 NF 1 km invalid', '2 NF 2 price invalid_amount']);
    expect(verdict(await dealer.patch(`import/connectors/${id}`, { config: { number_format: 'de' } }))).toBe(
      '422 validation_failed config.number_format not_allowed',
    );
  });

  test('changes only mapped fields, never a state, and reports the rows it could not apply', async () => {
    const id = await make();
    const held = (await dealer.post('vehicles', aCar({ plate: 'RN 20', description: 'ours' }))).json.data.id;
    await dealer.post(`vehicles/${held}/reserve`);
    const gone = (await dealer.post('vehicles', aCar({ plate: 'RN 21' }))).json.data.id;
    await dealer.delete(`vehicles/${gone}`);
    const sold = (await dealer.post('vehicles', aCar({ plate: 'RN 22' }))).json.data.id;
    await dealer.post(`vehicles/${sold}/mark-sold`);
    const emitted = await eventsBy(api, dealer.accountId, async () => {
      const done = await runRows(id, [
        feedCar('rn  20', { KM: 90_000, Fiyat: '15000.50' }),
        feedCar('RN 21'),
        feedCar('RN 22'),
        feedCar('RN 23', { Yakıt: 'Kömür', KM: 'çok', Fiyat: '14.5.00,00' }),
        feedCar('', {}),
        feedCar('RN 24', { Marka: '' }),
        feedCar('RN 25'),
        feedCar('RN 25', { KM: 1 }),
      ]);
      expect(counts(done)).toBe('Kısmen Tamamlandı: 8 = 1 + 2 + 0 + 5');
      expect(await faults(done.id)).toEqual([
        '2 RN 21 plate vehicle_locked',
        '3 RN 22 plate vehicle_locked',
        '4 RN 23 km invalid',
        '4 RN 23 fuel_type not_allowed',
        '4 RN 23 price invalid_amount',
        '5 null plate required',
        '6 RN 24 brand required',
      ]);
      const text = JSON.stringify(await errorsOf(done.id));
      for (const raw of ['çok', 'Kömür', '14.500,00']) expect(text).not.toContain(raw);
      expect((await errorsOf(done.id, '?code=required')).length).toBe(2);
      expect((await errorsOf(done.id, '?limit=2&offset=1')).map((one: Fields) => one.row_number)).toEqual([3, 4]);
    });
    expect(emitted.map(({ kind }) => kind)).toEqual([
      'import_run.started',
      'vehicle.updated',
      'vehicle.price_changed',
      'vehicle.created',
      'vehicle.updated',
      'import_run.finished',
    ]);
    expect((await dealer.get(`vehicles/${held}`)).json.data).toMatchObject({
      status: 'Rezerve',
      km: 90_000,
      price: '15000.50',
      description: 'ours',
    });
    const [latest] = (await dealer.get(`vehicles/${held}/history`)).json.data;
    expect(latest).toMatchObject({ event: 'price_changed', actor: { type: 'api_key' } });
  });

  test('fails when every row fails; also when its file lacks a column, and then writes nothing', async () => {
    const id = await make();
    const all = await runRows(id, [feedCar('RN 30', { KM: 'x' }), feedCar('RN 31', { KM: 'y' })]);
    expect([counts(all), all.failure_code]).toEqual(['Başarısız: 2 = 0 + 0 + 0 + 2', 'every_row_failed']);
    const { KM: _, ...lacking } = feedCar('RN 32');
    const emitted = await eventsBy(api, dealer.accountId, async () => {
      const failed = await runRows(id, [lacking]);
      expect([counts(failed), failed.failure_code]).toEqual(['Başarısız: 0 = 0 + 0 + 0 + 0', 'missing_column']);
      expect(failed.failure_message).toContain('KM');
    });
    expect(emitted.map(({ kind }) => kind)).toEqual(['import_run.started', 'import_run.failed']);
    expect((await run(id, { content: `${csvOf([feedCar('RN 33')])}"RN 34;x\n` })).failure_code).toBe('source_unreadable');
    expect((await run(id, { content: ' \n \n' })).failure_code).toBe('source_empty');
    expect(counts(await run(id, { content: csvOf([feedCar('RN 35')]).split('\n')[0]! }))).toBe('Tamamlandı: 0 = 0 + 0 + 0 + 0');
    expect(await stock()).toEqual([]);
  });

  test('respects the plan limit, also within one batch', async () => {
    await admin.rows('update accounts set vehicle_limit = 3 where id = $1', [dealer.accountId]);
    await dealer.post('vehicles', aCar({ plate: 'RN 40' }));
    const rows = ['RN 41', 'RN 42', 'RN 43', 'RN 40', 'RN 44'].map((plate) => feedCar(plate));
    const id = await make();
    const dry = await runRows(id, rows, { dry_run: true });
    const done = await runRows(id, rows);
    for (const one of [dry, done]) {
      expect(counts(one)).toBe('Kısmen Tamamlandı: 5 = 2 + 1 + 0 + 2');
      expect(await faults(one.id)).toEqual(['3 RN 43 null plan_limit_reached', '5 RN 44 null plan_limit_reached']);
    }
    expect(await stock()).toHaveLength(3);
  });

  test('in a dry run reports the same counts and errors over many batches, and stores nothing', async () => {
    const small = newImporter(api, { batchRows: 2 });
    const id = await make({}, { mapping: { ...CAR_MAPPING, chassis_no: 'Şasi' } });
    await dealer.post('vehicles', aCar({ plate: 'RN 50', km: 1 }));
    const rows = [
      feedCar('RN 50', { Şasi: '' }),
      feedCar('RN 51', { Şasi: 'X 1' }),
      feedCar('RN 52', { KM: 'x' }),
      feedCar('RN 51', { Şasi: 'X 1' }),
      feedCar('RN 53', { Şasi: 'x1' }),
      feedCar('RN 51', { Şasi: 'X 1', KM: 7 }),
      feedCar('RN 50'),
    ];
    const path = `import/connectors/${id}/run`;
    const results: string[] = [];
    for (const dry_run of [true, false]) {
      const before = await stock();
      const emitted = await eventsBy(api, dealer.accountId, async () => {
        const reply = await dealer.post(path, { content: csvOf(rows), dry_run });
        await small.drain();
        const done = (await dealer.get(`import/runs/${reply.json.data.id}`)).json.data;
        expect(done.dry_run).toBe(dry_run);
        results.push(`${counts(done)} ${await faults(done.id)}`);
      });
      if (dry_run) {
        expect(await stock()).toEqual(before);
        expect(emitted.map(({ kind }) => kind)).toEqual(['import_run.started', 'import_run.finished']);
        expect((await dealer.get('notifications')).json.data).toEqual([]);
      }
    }
    await small.close();
    expect(results[0]).toBe('Kısmen Tamamlandı: 7 = 1 + 2 + 2 + 2 3 RN 52 km invalid,5 RN 53 chassis_no chassis_in_use');
    expect(results[1]).toBe(results[0]);
    const [notice] = (await dealer.get('notifications')).json.data;
    expect(notice).toMatchObject({ kind: 'import_run.finished', resource_type: 'import_run' });
  });

  test('of people matches by phone; two people who share one are reported, not guessed', async () => {
    const mapping = { first_name: 'Ad', last_name: 'Soyad', phone: 'Telefon', id_no: 'Kimlik' };
    const id = await make(
      { target: 'customers', key_field: 'phone' },
      { mapping, defaults: { risk_level: 'low' }, value_map: {} },
    );
    for (const last_name of ['Baba', 'Oğul']) await dealer.post('customers', aPerson({ last_name, phone: '0533 111 11 11' }));
    const row = (Telefon: string, Ad: string, Kimlik = '') => ({ Ad, Soyad: 'Yılmaz', Telefon, Kimlik });
    const rows = [
      row('0533 222 22 22', 'Ayşe', '12345678901'),
      row('+90 533 111 1111', 'Ali'),
      row('533', 'Can'),
      row('0533 333 33 33', 'Ece', '12345678901'),
    ];
    const emitted = await eventsBy(api, dealer.accountId, async () => {
      const done = await runRows(id, rows);
      expect(counts(done)).toBe('Kısmen Tamamlandı: 4 = 1 + 0 + 0 + 3');
      expect(await faults(done.id)).toEqual([
        '2 +90 533 111 1111 phone ambiguous_match',
        '3 533 phone invalid',
        '4 0533 333 33 33 id_no duplicate_customer',
      ]);
      expect(JSON.stringify(await errorsOf(done.id))).not.toContain('12345678901');
    });
    expect(emitted.map(({ kind }) => kind)).toEqual(['import_run.started', 'customer.created', 'import_run.finished']);
    expect(counts(await runRows(id, [row('05332222222', 'Ayşe Nur')]))).toBe('Tamamlandı: 1 = 0 + 1 + 0 + 0');
  });

  test('erasing a person removes them from the row errors too', async () => {
    const mapping = { first_name: 'Ad', last_name: 'Soyad', phone: 'Telefon', email: 'Posta' };
    const id = await make({ target: 'customers', key_field: 'phone' }, { mapping, defaults: {}, value_map: {} });
    const his = (await dealer.post('customers', aPerson({ phone: '+905331234567' }))).json.data.id;
    const row = (Telefon: string) => ({ Ad: 'Ali', Soyad: 'Can', Telefon, Posta: 'yok' });
    const { id: runId } = await runRows(id, [row('0533 123 45 67'), row('0533 123 45 68')]);
    expect(await faults(runId)).toHaveLength(2);
    const account = { id: dealer.accountId, timezone: 'Asia/Famagusta' };
    const call = { dataSet: dealer.accountId, account, actor: TEST_ACTOR, now: api.clock.now() };
    await api.service.parts.writer.write(call, (work) => eraseCustomer(work, his));
    expect(await faults(runId)).toEqual(['2 0533 123 45 68 email invalid']);
  });

  test('refuses a compressed body and does not decompress it', async () => {
    const path = `import/connectors/${await make()}/run`;
    const answer = await dealer.post(path, JSON.stringify({ content: 'x' }), { 'content-encoding': 'gzip' });
    expect(verdict(answer)).toBe('415 unsupported_media_type');
  });

  test('reads JSON and XML too, with numbers as keys', async () => {
    const mapping = { ...CAR_MAPPING, external_ref: 'no' };
    const json = await make({ type: 'json', key_field: 'external_ref' }, { mapping, record_path: 'stok' });
    const cars = [
      { ...feedCar('RN 60'), no: 4711 },
      { ...feedCar('RN 61'), no: 4712, Fiyat: 9999.5 },
    ];
    expect(counts(await run(json, { content: JSON.stringify({ stok: cars }) }))).toBe('Tamamlandı: 2 = 2 + 0 + 0 + 0');
    expect((await stock()).map(({ price }) => price).sort()).toEqual(['14500.00', '9999.50']);
    const element = (car: Fields) =>
      Object.entries(car)
        .map(([name, value]) => `<${name.replaceAll(' ', '_')}>${value}</${name.replaceAll(' ', '_')}>`)
        .join('');
    const inXml = Object.fromEntries(Object.entries(mapping).map(([field, column]) => [field, column.replaceAll(' ', '_')]));
    const xml = await make({ type: 'xml', key_field: 'external_ref' }, { mapping: inXml, record_path: 'stok.arac' });
    const content = `<stok>${cars.map((car) => `<arac>${element({ ...car, KM: 1 })}</arac>`).join('')}</stok>`;
    expect(counts(await run(xml, { content }))).toBe('Tamamlandı: 2 = 0 + 2 + 0 + 0');
  });

  test('lists by connector, status and day', async () => {
    const [one, other] = [await make(), await make()];
    await runRows(one, [feedCar('RN 70')]);
    await runRows(other, [feedCar('RN 71', { KM: 'x' })]);
    const list = async (query: string) =>
      (await dealer.get(`import/runs?${query}`)).json.data.map((run: Fields) => run.connector_id);
    expect(await list('')).toEqual([other, one]);
    expect(await list(`connector_id=${one}`)).toEqual([one]);
    expect(await list(`status=${encodeURIComponent('Başarısız')}`)).toEqual([other]);
    expect(await list('from=2020-01-01&to=2020-12-31')).toEqual([]);
    expect(await list(`from=2020-01-01&to=${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}`)).toEqual([
      other,
      one,
    ]);
    expect(verdict(await dealer.get('import/runs?from=2026-02-01&to=2026-01-01'))).toBe('400 invalid_parameter');
  });

  test('encrypts content while it waits', async () => {
    const id = await make();
    const reply = await dealer.post(`import/connectors/${id}/run`, { content: csvOf([feedCar('GİZLİ 1')]) });
    const parts = await api.database.inTenant(dealer.accountId, 'read', (db) =>
      db.rows<{ bytes: Buffer }>(
        sql`select bytes_encrypted as bytes from ${own('import_contents')} where run_id = ${reply.json.data.id}`,
      ),
    );
    expect(parts).toHaveLength(1);
    expect(parts[0]!.bytes.toString('utf8')).not.toContain('Plaka');
    await importer.drain();
  });

  test('supports X-Dry-Run and Idempotency-Key like every write', async () => {
    const path = `import/connectors/${await make()}/run`;
    const content = csvOf([feedCar('RN 80')]);
    expect((await dealer.post(path, { content }, { 'x-dry-run': 'true' })).status).toBe(202);
    expect((await dealer.get('import/runs')).json.data).toEqual([]);
    const first = await dealer.post(path, { content }, { 'idempotency-key': 'a' });
    const again = await dealer.post(path, { content }, { 'idempotency-key': 'a' });
    expect(again.json.data).toEqual(first.json.data);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    await importer.drain();
    expect((await dealer.get('import/runs')).json.data).toHaveLength(1);
  });
});
