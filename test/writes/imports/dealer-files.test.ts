// Thirty files as dealers have them, each through the panel's preview and form: at most one question, and every record imported.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Importer } from '../../../src/jobs/run-imports.ts';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import { type Browser, newPerson, signedIn } from '../../panel/people.ts';
import { newImporter } from '../../support/imports.ts';
import { type TestService, testService } from '../../support/service.ts';
import { type Dealer, newDealer, openAll } from '../../support/writer.ts';
import { type DealerFile, dealerFiles, type FormValues } from './dealer-files.ts';

type Preview = Readonly<Record<string, unknown>>;
interface Form {
  newConnectorForm(target: string): FormValues;
  foundIn(preview: Preview): Partial<FormValues>;
  createBody(values: FormValues): Record<string, unknown>;
}
/** The panel's sources are written for a browser, whose types this test does not have. */
const screen = async <T>(file: string): Promise<T> =>
  (await import(new URL(`../../../web/src/screens/imports/${file}.ts`, import.meta.url).href)) as T;
const { newConnectorForm, foundIn, createBody } = await screen<Form>('form-values');
const { filledIn } = await screen<{ filledIn(values: FormValues, preview: Preview): Partial<FormValues> }>('filled-in');
const { openQuestions } = await screen<{ openQuestions(values: FormValues, preview: Preview): { readonly kind: string }[] }>(
  'questions',
);

let api: TestService;
let admin: Session;
let importer: Importer;
let dealer: Dealer;
let owner: Browser;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  admin = await openSession(api.adminUrl);
  importer = newImporter(api);
  dealer = await newDealer(api);
  owner = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
  await admin.rows(`update accounts set city = 'Girne', default_currency = 'STG' where id = $1`, [dealer.accountId]);
});
afterAll(async () => {
  await importer.close();
  await admin.close();
  await api.close();
});

const FILES = dealerFiles();

async function previewed({ bytes }: DealerFile): Promise<Preview> {
  const { status, text, json } = await owner.api('import/preview', {
    method: 'POST',
    body: { content: bytes.toString('base64') },
  });
  expect(status, text).toBe(200);
  return json.data;
}

async function imported(values: FormValues, bytes: Buffer): Promise<Record<string, unknown>> {
  const made = await dealer.post('import/connectors', createBody(values));
  expect(made.status, made.text).toBe(201);
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(bytes)]), 'liste');
  const headers = { authorization: `Bearer ${dealer.key}` };
  const sent = await fetch(`${api.service.url}/api/v1/import/connectors/${made.json.data.id}/run`, {
    method: 'POST',
    headers,
    body,
  });
  expect(sent.status).toBe(202);
  await importer.drain();
  const run = (await dealer.get('import/runs?limit=1')).json.data[0];
  const errors = (await dealer.get(`import/runs/${run.id}/errors`)).json.data;
  return { status: run.status, created: run.created_count, failure: run.failure_message, errors: errors.slice(0, 3) };
}

test('they are thirty, of six programs', () => {
  expect(FILES.length).toBeGreaterThanOrEqual(30);
  expect(new Set(FILES.map(({ program }) => program)).size).toBe(6);
});

test.each(FILES.map((file) => [file.program, file.name, file] as const))('%s: %s', async (_, __, file) => {
  const target = file.target ?? 'vehicles';
  const preview = await previewed(file);
  const empty = { ...newConnectorForm(target), name: file.name };
  const found = { ...empty, ...foundIn(preview) };
  const values: FormValues = { ...found, ...filledIn(found, preview) };
  expect(openQuestions(values, preview).map(({ kind }) => kind)).toEqual(file.asks === undefined ? [] : [file.asks]);

  const answered = { ...values, ...file.answer?.(values) };
  expect(await imported(answered, file.bytes)).toEqual({
    status: 'Tamamlandı',
    created: file.records,
    failure: null,
    errors: [],
  });
  if (file.price === undefined) return;
  const [first] = await admin.rows<{ price: string }>(
    `select money_text(price_minor) || ' ' || currency as price from vehicles where account_id = $1 order by created_at desc, plate limit 1`,
    [dealer.accountId],
  );
  expect(first).toEqual({ price: file.price });
});
