// The first rows of a source for the mapping screen: its format, columns and sample values.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/kit/ids.ts';
import { sql, theAccount } from '../../src/kit/sql.ts';
import { csvOf, feedCar } from '../support/imports.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { sheetRows, workbookFile } from '../support/workbooks.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let api: TestService;
let owner: Browser;
let server: Server;
let url = '';
let workbook: Buffer = Buffer.alloc(0);
let seen: (string | undefined)[] = [];
const waiting: (() => void)[] = [];
beforeAll(async () => {
  api = await testService({ env: { ALLOW_LOOPBACK_TARGETS: 'on' } });
  owner = await signedIn(api, await newPerson(api, { accountId: await api.account() }));
  server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    if (request.url === '/stok.csv') response.end(csvOf([feedCar('AB 1'), feedCar('AB 2', { Vites: 'Otomatik' })]));
    else if (request.url === '/stok.xlsx') response.end(workbook);
    else if (request.url === '/endless') response.end(`Plaka;KM\n${'AB 1;5\n'.repeat(200_000)}`);
    else if (request.url === '/silent') waiting.push(() => response.end(csvOf([feedCar('AB 1')])));
    else response.writeHead(403).end('gizli');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await api.close();
});

const preview = (body: Record<string, unknown>): Promise<Answer> => owner.api('import/preview', { method: 'POST', body });
const ofFile = (content: string | Buffer, more: Record<string, unknown> = {}) =>
  preview({ content: Buffer.from(content as string).toString('base64'), ...more });

describe('a preview', () => {
  test('of a Turkish spreadsheet detects its encoding, delimiter and columns with sample values', async () => {
    const latin5 = Buffer.from('Plaka;\xDEehir;Vites\nAB 1;Girne;D\xFCz\nAB 2;;D\xFCz\nAB 3;\xDDskele;Otomatik\nAB', 'latin1');
    const { status, json, text } = await ofFile(latin5, { is_cut: true });
    expect(status, text).toBe(200);
    expect(json.data).toMatchObject({
      type: 'csv',
      delimiter: ';',
      encoding: 'windows-1254',
      record_path: null,
      sheets: null,
      sheet: null,
      number_format: null,
      rows_seen: 3,
      columns: [
        { name: 'Plaka', samples: ['AB 1', 'AB 2', 'AB 3'], values: ['AB 1', 'AB 2', 'AB 3'] },
        { name: 'Şehir', samples: ['Girne', 'İskele'], values: ['Girne', 'İskele'] },
        { name: 'Vites', samples: ['Düz', 'Düz', 'Otomatik'], values: ['Düz', 'Otomatik'] },
      ],
    });
  });

  test('of JSON and XML finds the records, truncated or complete', async () => {
    const json = JSON.stringify({ ok: true, sonuc: { adet: [1, 2], araclar: [{ plaka: 'AB 1', no: 7 }, { plaka: 'AB 2' }] } });
    for (const content of [json, json.slice(0, -12)]) {
      const { data } = (await ofFile(content, { is_cut: content !== json })).json;
      expect(data).toMatchObject({
        type: 'json',
        delimiter: null,
        record_path: 'sonuc.araclar',
        columns: [{ name: 'plaka' }, { name: 'no' }],
      });
    }
    const xml = `<yanit><!-- ${'x'.repeat(300)} --><durum>1</durum><stok><arac no="1"><plaka>AB 1</plaka></arac><arac no="2"><plaka>AB 2</plaka></arac></stok></yanit>`;
    for (const content of [xml, xml.slice(0, -10)]) {
      const { data } = (await ofFile(content, { is_cut: content !== xml })).json;
      expect(data).toMatchObject({
        type: 'xml',
        record_path: 'yanit.stok.arac',
        columns: [{ name: '@no', samples: ['1', '2'] }, { name: 'plaka' }],
      });
    }
    expect((await ofFile('[{"a":1}]')).json.data).toMatchObject({ record_path: null, columns: [{ name: 'a', samples: ['1'] }] });
  });

  test('of an Excel workbook names its sheets and shows the first or the requested one, from a file and an address', async () => {
    const old = sheetRows([
      ['Plaka', 'KM'],
      ['AB 1', 84_000],
    ]);
    const noise = Array.from({ length: 40_000 }, (_, index) => `<si><t>${(index * 7919).toString(36)}</t></si>`).join('');
    workbook = workbookFile({ sheets: { Eski: old, Yeni: sheetRows([['Fiyat'], [14500.5]]) }, strings: noise });
    const { status, json, text } = await ofFile(workbook);
    expect(status, text).toBe(200);
    expect(json.data).toMatchObject({
      type: 'csv',
      delimiter: null,
      encoding: 'utf-8',
      record_path: null,
      sheets: ['Eski', 'Yeni'],
      sheet: 'Eski',
      number_format: null,
      rows_seen: 1,
      columns: [
        { name: 'Plaka', samples: ['AB 1'], values: ['AB 1'] },
        { name: 'KM', samples: ['84000'], values: ['84000'] },
      ],
    });
    const found = [{ name: 'Fiyat', samples: ['14500.5'], values: ['14500.5'] }];
    expect((await ofFile(workbook, { sheet: 'Yeni' })).json.data).toMatchObject({ sheet: 'Yeni', columns: found });
    expect((await preview({ url: `${url}/stok.xlsx`, sheet: 'Yeni' })).json.data).toMatchObject({
      sheet: 'Yeni',
      columns: found,
    });
    expect((await ofFile(workbook, { sheet: 'Yok' })).json.error.details).toMatchObject([
      { field: 'sheet', code: 'sheet_not_found' },
    ]);
  });

  test('reports what is wrong with a source, and in which field', async () => {
    const refusal = async (answer: Promise<Answer>) => {
      const { status, json } = await answer;
      return [
        status,
        json.error.code,
        ...json.error.details.map((one: { field: string; code: string }) => `${one.field} ${one.code}`),
      ];
    };
    expect(await refusal(ofFile('PK\x03\x04xx'))).toEqual([422, 'source_unreadable', 'content source_unreadable']);
    expect(await refusal(ofFile('{"a":[{"b":1}]}', { record_path: 'x' }))).toEqual([
      422,
      'source_unreadable',
      'record_path record_path_not_found',
    ]);
    expect(await refusal(ofFile(' '))).toEqual([422, 'source_unreadable', 'content source_empty']);
    expect(await refusal(preview({ url: 'http://169.254.169.254/x' }))).toEqual([422, 'url_not_allowed', 'url url_not_allowed']);
    const refused = await preview({ url: `${url}/refused` });
    expect(refused.json.error).toMatchObject({
      code: 'source_unreachable',
      details: [{ field: 'url', code: 'source_http_error' }],
    });
    expect(refused.text).not.toContain('gizli');
    expect((await preview({})).json.error.code).toBe('content_required');
  });

  test('of an address reads only its beginning, with the configured headers', async () => {
    seen = [];
    const { json } = await preview({ url: `${url}/endless`, credentials: { token: 'T' } });
    expect(json.data).toMatchObject({ type: 'csv', rows_seen: 200, columns: [{ name: 'Plaka' }, { name: 'KM' }] });
    expect(seen).toEqual(['Bearer T']);
  });

  test('of a saved connector uses the saved credentials, and never sends them elsewhere', async () => {
    const mapping = { first_name: 'A', last_name: 'B', phone: 'C' };
    const connector = { name: 'x', type: 'csv', transport: 'url', target: 'customers', key_field: 'phone' };
    const body = { ...connector, config: { url: `${url}/stok.csv`, mapping }, credentials: { username: 'u', password: 'p' } };
    const made = await owner.api('v1/import/connectors', { method: 'POST', body });
    expect(made.status, made.text).toBe(201);
    const connector_id = made.json.data.id;
    seen = [];
    expect((await preview({ connector_id })).json.data.rows_seen).toBe(2);
    const elsewhere = url.replace('127.0.0.1', 'localhost');
    expect((await preview({ connector_id, url: `${elsewhere}/stok.csv` })).json.data.rows_seen).toBe(2);
    expect(seen).toEqual([`Basic ${Buffer.from('u:p').toString('base64')}`, undefined]);
  });

  test('shows a viewer the key of a row error, which may be a phone, only in part', async () => {
    const accountId = await api.account();
    const [boss, viewer] = await Promise.all(
      (['owner', 'viewer'] as const).map(async (role) => signedIn(api, await newPerson(api, { accountId, role }))),
    );
    const mapping = { first_name: 'A', last_name: 'B', phone: 'C' };
    const connector = {
      name: 'x',
      type: 'csv',
      transport: 'inline',
      target: 'customers',
      key_field: 'phone',
      config: { mapping },
    };
    const { id } = (await boss!.api('v1/import/connectors', { method: 'POST', body: connector })).json.data;
    const run = (await boss!.api(`v1/import/connectors/${id}/run`, { method: 'POST', body: { content: 'A;B;C' } })).json.data.id;
    await api.database.inTenant(accountId, 'write', (db) =>
      db.exec(sql`insert into import_row_errors (account_id, id, run_id, row_number, key, code, message)
        values (${theAccount}, ${newId()}, ${run}, 1, '0533 123 45 67', 'invalid', 'x')`),
    );
    const keyFor = async (someone: Browser) => (await someone.api(`v1/import/runs/${run}/errors`)).json.data[0].key;
    expect([await keyFor(boss!), await keyFor(viewer!), await keyFor(boss!)]).toEqual([
      '0533 123 45 67',
      '05•••',
      '0533 123 45 67',
    ]);
  });

  test('is limited to roles that may create a connector', async () => {
    for (const role of ['sales', 'viewer', 'finance', 'developer'] as const) {
      const someone = await signedIn(api, await newPerson(api, { accountId: await api.account(), role }));
      expect((await someone.api('import/preview', { method: 'POST', body: { content: 'QQ==' } })).json.error.code).toBe(
        'not_permitted',
      );
    }
  });
});

test('an account has at most four that wait for a server; other accounts continue', async () => {
  const neighbour = await signedIn(api, await newPerson(api, { accountId: await api.account() }));
  const four = Array.from({ length: 4 }, () => preview({ url: `${url}/silent` }));
  while (waiting.length < 4) await new Promise((resolve) => setTimeout(resolve, 10));
  expect((await preview({ url: `${url}/stok.csv` })).status).toBe(503);
  expect((await ofFile('Plaka;KM\nAB 1;5\n')).status).toBe(200);
  expect((await neighbour.api('import/preview', { method: 'POST', body: { url: `${url}/stok.csv` } })).status).toBe(200);
  for (const answer of waiting) answer();
  expect((await Promise.all(four)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await preview({ url: `${url}/stok.csv` })).status).toBe(200);
});
