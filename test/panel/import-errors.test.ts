// The row errors of an import in the panel: counted by kind, downloaded in full, with permissions.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/kit/ids.ts';
import { sql, theAccount } from '../../src/kit/sql.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

let service: TestService;
let owner: Browser;
let stranger: Browser;
let viewer: Browser;
let seller: Browser;
let runId: string;
let accountId: string;
const ROWS = 2500;

beforeAll(async () => {
  service = await testService();
  accountId = await service.account();
  owner = await signedIn(service, await newPerson(service, { accountId }));
  viewer = await signedIn(service, await newPerson(service, { accountId, role: 'viewer' }));
  seller = await signedIn(service, await newPerson(service, { accountId, role: 'sales' }));
  stranger = await signedIn(service, await newPerson(service, { accountId: await service.account() }));
  runId = newId();
  const connectorId = newId();
  await service.database.inTenant(accountId, 'write', async (db) => {
    await db.exec(sql`insert into import_connectors (account_id, id, name, type, transport, target, config, key_field)
      values (${theAccount}, ${connectorId}, 'Stok', 'csv', 'inline', 'vehicles', '{}', 'plate')`);
    await db.exec(sql`insert into import_runs (account_id, id, connector_id, trigger, dry_run, actor_type, actor_name)
      values (${theAccount}, ${runId}, ${connectorId}, 'Elle', false, 'member', 'Ayşe')`);
    // Two errors in each row: a row is counted once for each kind. Written in no particular order.
    for (let row = ROWS; row > 0; row -= 500) {
      const numbers = Array.from({ length: 500 }, (_, index) => row - index);
      await db.exec(sql`insert into import_row_errors (account_id, id, run_id, row_number, key, field, code, message)
        select ${theAccount}, gen_random_uuid(), ${runId}, n, '=SUM(' || n || ')', f, 'invalid', f || ' şöyle olmalı: "x", y'
        from unnest(${numbers}::int[]) n, unnest(array['km', 'model_year']) f`);
    }
    await db.exec(sql`insert into import_row_errors (account_id, id, run_id, row_number, key, field, code, message)
      values (${theAccount}, ${newId()}, ${runId}, ${ROWS + 1}, '0533 123 45 67', null, 'invalid_row', 'Satır okunamıyor')`);
  });
});
afterAll(async () => {
  await service?.close();
});

const csv = (browser: Browser, id = runId, locale = 'tr') =>
  browser.api(`import/runs/${id}/errors.csv`, { headers: { 'accept-language': locale } });

test('the file holds every error once, in row order, and no cell is a formula', async () => {
  const { status, headers, text } = await csv(owner);
  expect(status).toBe(200);
  expect(headers.get('content-disposition')).toContain('attachment');
  const [head, ...lines] = text.trimEnd().split('\r\n');
  expect(head).toBe('Satır;Sütun;Eşleşme alanı;Alan;Hata;Açıklama');
  expect(lines).toHaveLength(2 * ROWS + 1);
  expect(lines.map((line) => Number(line.split(';')[0]))).toEqual([
    ...Array.from({ length: 2 * ROWS }, (_, index) => Math.floor(index / 2) + 1),
    ROWS + 1,
  ]);
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines[0]).toMatch(/^1;;'=SUM\(1\);(km|model_year);invalid;"\1 şöyle olmalı: ""x"", y"$/);
  expect(lines.at(-1)).toBe(`${ROWS + 1};;0533 123 45 67;;invalid_row;Satır okunamıyor`);
  expect((await csv(owner, runId, 'en')).text).toMatch(/^Row,Column,Matched by,Field,Error,Explanation\r\n1,/);
});

test('counts rows by kind of error, the most frequent first', async () => {
  const { json } = await viewer.api(`import/runs/${runId}/error-kinds`);
  expect(json.data).toEqual([
    { code: 'invalid', field: 'km', count: ROWS },
    { code: 'invalid', field: 'model_year', count: ROWS },
    { code: 'invalid_row', field: null, count: 1 },
  ]);
});

test('only roles that may import see the content of a refused cell', async () => {
  const person = await newPerson(service, { accountId });
  const sender = await signedIn(service, person);
  const [errorId, other] = [newId(), newId()];
  await service.database.inTenant(accountId, 'write', async (db) => {
    await db.exec(sql`update import_runs set person_id = ${person.id} where account_id = ${theAccount} and id = ${runId}`);
    await db.exec(sql`insert into import_row_errors (account_id, id, run_id, row_number, key, field, code, message, value) values
      (${theAccount}, ${errorId}, ${runId}, ${ROWS + 2}, 'AB 1', 'km', 'invalid', 'km', 'seksen bin'),
      (${theAccount}, ${other}, ${runId}, ${ROWS + 2}, 'AB 1', null, 'invalid_row', 'row', null)`);
  });
  const values = async (browser: Browser) =>
    Object.entries(
      (await browser.api(`import/runs/${runId}/error-details?ids=${errorId},${other}`)).json.data as Record<
        string,
        { value: string | null }
      >,
    ).flatMap(([id, { value }]) => (value === null ? [] : [[id, value]]));
  expect(await values(sender)).toEqual([[errorId, 'seksen bin']]);
  for (const browser of [owner, viewer]) expect(await values(browser)).toEqual([]);
  expect((await stranger.api(`import/runs/${runId}/error-details?ids=${errorId}`)).status).toBe(404);
  await service.database.inTenant(accountId, 'write', (db) =>
    db.exec(sql`delete from import_row_errors where account_id = ${theAccount} and row_number = ${ROWS + 2}`),
  );
});

test('another dealer’s run returns 404, and the file is refused to roles that see masked phones or no imports', async () => {
  expect((await csv(stranger)).status).toBe(404);
  expect((await stranger.api(`import/runs/${runId}/error-kinds`)).status).toBe(404);
  expect((await csv(owner, newId())).status).toBe(404);
  expect((await csv(viewer)).status).toBe(403);
  expect((await csv(seller)).status).toBe(403);
  expect((await seller.api(`import/runs/${runId}/error-kinds`)).status).toBe(403);
});
