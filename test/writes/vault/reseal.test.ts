// The vault's key is rotated while the service runs: lookups and refusals stay the same during and after it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newCustomer } from '../../../src/domain/customers/customer.ts';
import { totpCell } from '../../../src/domain/identity/sign-in.ts';
import { openCredentials } from '../../../src/domain/imports/connectors/connector-credentials.ts';
import { keepContent, readContent } from '../../../src/domain/imports/runs/import-content.ts';
import { queueMail } from '../../../src/domain/mail/mail-queue.ts';
import { insertRecords } from '../../../src/domain/records/record.ts';
import { BATCH, resealAll, SEALED_COLUMNS } from '../../../src/domain/reseal.ts';
import { deriveSecrets, type Secrets } from '../../../src/domain/vault/secrets.ts';
import { seal, sealingKeys, vaultKeys } from '../../../src/domain/vault/vault.ts';
import { sealSecret } from '../../../src/domain/webhooks/webhook-secrets.ts';
import { newId } from '../../../src/kit/ids.ts';
import { sql, theAccount } from '../../../src/kit/sql.ts';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import { newEnquiry } from '../../panel/enquiry-requests.ts';
import { TEST_SECRET, type TestDatabase, testDatabase } from '../../support/database.ts';
import { eventsBy } from '../../support/events.ts';
import { type Answer, type TestService, testService } from '../../support/service.ts';
import { aPerson, type Dealer, dealerWith, newDealer, openAll } from '../../support/writer.ts';

const NEW = deriveSecrets(TEST_SECRET, 'another vault secret of thirty-two characters');
const NEWER = deriveSecrets(
  TEST_SECRET,
  'a third vault secret of thirty-two characters',
  'another vault secret of thirty-two characters',
);
/** Has only its current key: a value that opens was sealed with it. */
const alone = (secrets: Secrets): Secrets => ({ ...secrets, vaults: [secrets.vaults[0]] });

let base: TestDatabase;
let admin: Session;
let dealer: Pick<Dealer, 'accountId' | 'key'>;
beforeAll(async () => {
  base = await testDatabase();
  admin = await openSession(base.adminUrl);
});
afterAll(async () => {
  await admin.close();
  await base.close();
});

/** One after another, as in a deployment restarted with other settings. */
async function withSecrets(secrets: Secrets, work: (dealer: Dealer, node: TestService) => Promise<void>): Promise<void> {
  const node = await testService({ shared: { ...base, secrets } });
  try {
    if (dealer === undefined) {
      await openAll(node);
      dealer = await newDealer(node);
    }
    await work(dealerWith(node, dealer.accountId, dealer.key), node);
  } finally {
    await node.close();
  }
}

const refusal = ({ status, json }: Answer) => [status, json.error?.code];
const keyed = { 'idempotency-key': 'sealed-before' };

async function keyIds(): Promise<Record<string, number[]>> {
  const found: Record<string, number[]> = {};
  for (const name of SEALED_COLUMNS) {
    const [table, column] = name.split('.');
    const rows = await admin.rows<{ id: number }>(
      `select distinct get_byte(${column}, 0) as id from ${table} where ${column} is not null`,
    );
    found[name] = rows.map(({ id }) => id);
  }
  return found;
}

const person = aPerson({ id_no: 'ROTATED1', birth_date: '1985-04-23' });
const guarantor = aPerson({ id_no: 'ROTATED2' });
let first: Answer;
let customerId = '';
let guarantorId = '';

/** At least one value in every kind of encrypted column, and more customers than a batch. */
async function fill(as: Dealer, node: TestService): Promise<void> {
  first = await as.post('customers', person, keyed);
  customerId = first.json.data.id;
  guarantorId = (await as.post(`customers/${customerId}/guarantors`, guarantor)).json.data.id;
  const keys = sealingKeys(base.secrets, as.accountId);
  await base.database.inTenant(as.accountId, 'write', async (db) => {
    const many = Array.from({ length: BATCH + 20 }, (_, place) =>
      newCustomer(keys, { first_name: 'A', last_name: 'B', phone: '+905330000000', id_no: `MANY${place}` }, { now: new Date() }),
    );
    await insertRecords(db, 'customers', many);
    const hook = newId();
    await db.exec(sql`insert into webhooks (account_id, id, url, events, secret_encrypted, secret_hint)
      values (${theAccount}, ${hook}, 'https://example.com/', '{*}', ${sealSecret(keys, 'secret_encrypted', hook, 'whsec_x')}, 'abcd')`);
  });
  await newEnquiry({ api: node, accountId: as.accountId });
  await fillImport(as);
  const mail = { to: 'a@example.com', subject: 's', text: 't' };
  const admin = newId();
  await base.database.onPlatform('write', async (db) => {
    await queueMail(db, vaultKeys(base.secrets), mail, new Date());
    await db.exec(sql`insert into people (id, email, full_name, password_hash, totp_secret_encrypted)
      values (${admin}, 'p@example.com', 'P', 'x', ${seal(vaultKeys(base.secrets), totpCell(admin), 'JBSWY3DP')})`);
  });
}

/** Bytes that are not UTF-8: a file as a Turkish Windows writes it. */
const FILE = Buffer.from('Ad;Soyad;Telefon\nAy\u00fee;Y\u0131lmaz;0533 000 00 00\n'.replace('\u0131', '\u00fd'), 'latin1');

async function fillImport(as: Dealer): Promise<void> {
  const mapping = { first_name: 'Ad', last_name: 'Soyad', phone: 'Telefon' };
  const connector = { name: 'x', type: 'csv', transport: 'inline', target: 'customers', key_field: 'phone' };
  const made = await as.post('import/connectors', { ...connector, config: { mapping }, credentials: { token: 'sealed' } });
  const keys = sealingKeys(base.secrets, as.accountId);
  const run = newId();
  await base.database.inTenant(as.accountId, 'write', async (db) => {
    await db.exec(sql`insert into import_runs (account_id, id, connector_id, trigger, dry_run, actor_type, actor_name, content_encoding)
      values (${theAccount}, ${run}, ${made.json.data.id}, 'Elle', false, 'system', 'x', 'connector')`);
    await keepContent(db, keys, run, [FILE]);
  });
  importedRun = { runId: run, connectorId: made.json.data.id };
}

let importedRun = { runId: '', connectorId: '' };

/** Connector credentials and run content decrypt to the same values. */
async function expectImportOpens(secrets: Secrets): Promise<void> {
  const keys = sealingKeys(secrets, dealer.accountId);
  const { runId, connectorId } = importedRun;
  const parts = await Array.fromAsync(readContent(base.database, keys, { dataSet: dealer.accountId, runId }));
  expect(Buffer.concat(parts)).toEqual(FILE);
  const [row] = await admin.rows<{ bytes: Buffer }>(
    'select credentials_encrypted as bytes from import_connectors where id = $1',
    [connectorId],
  );
  expect(openCredentials(keys, connectorId, row!.bytes)).toEqual({ token: 'sealed' });
}

/** Holds for values under either key. */
async function expectAllFound(as: Dealer, node: TestService): Promise<void> {
  const replay = await as.post('customers', person, keyed);
  expect([replay.headers.get('idempotent-replayed'), replay.text]).toEqual(['true', first.text]);
  expect(refusal(await as.post('customers', aPerson({ id_no: 'rotated-1' })))).toEqual([409, 'duplicate_customer']);
  const other = (await as.post('customers', aPerson())).json.data.id;
  expect(refusal(await as.patch(`customers/${other}`, { id_no: 'ROTATED1' }))).toEqual([409, 'duplicate_customer']);
  const path = `customers/${customerId}/guarantors`;
  expect(refusal(await as.post(path, aPerson({ id_no: 'ROTATED1' })))).toEqual([422, 'guarantor_is_customer']);
  expect(refusal(await as.post(path, aPerson({ id_no: 'ROTATED2' })))).toEqual([409, 'duplicate_guarantor']);
  expect(refusal(await as.patch(`customers/${customerId}`, { id_no: 'ROTATED2' }))).toEqual([422, 'guarantor_is_customer']);
  const unchanged = await eventsBy(node, dealer.accountId, async () => {
    expect((await as.patch(`customers/${customerId}`, person)).status).toBe(200);
    expect((await as.patch(`guarantors/${guarantorId}`, guarantor)).status).toBe(200);
  });
  expect(unchanged).toEqual([]);
}

test('every column with encrypted values is re-encrypted', async () => {
  const columns = await admin.rows<{ name: string }>(`select table_name || '.' || column_name as name
    from information_schema.columns where table_schema = 'public' and column_name like '%\\_encrypted'`);
  expect([...SEALED_COLUMNS].sort()).toEqual(columns.map(({ name }) => name).sort());
});

test('rotates the key twice without losing or accepting anything wrong on the way', async () => {
  await withSecrets(base.secrets, fill);
  const current = NEW.vaults[0].id;
  await withSecrets(NEW, async (as, node) => {
    await expectAllFound(as, node);
    const mixed = (await keyIds())['customers.id_no_encrypted']!;
    expect(mixed.sort((one, two) => one - two)).toEqual([1, current]);
    const done = await resealAll(node.database, NEW);
    expect(done).toMatchObject({ customers: BATCH + 21, guarantors: 1, webhooks: 1, idempotency: 1, people: 1, mails: 1 });
    expect(done).toMatchObject({ import_connectors: 1, import_contents: 1 });
    await expectImportOpens(alone(NEW));
    for (const [column, ids] of Object.entries(await keyIds()))
      expect(
        ids.filter((id) => id !== current),
        column,
      ).toEqual([]);
    const before = await admin.rows(`select id, version from data_sets order by id`);
    expect(new Set(Object.values(await resealAll(node.database, NEW)))).toEqual(new Set([0]));
    expect(await admin.rows(`select id, version from data_sets order by id`)).toEqual(before);
  });
  await withSecrets(alone(NEW), expectAllFound);
  await withSecrets(NEWER, expectAllFound);
  await resealAll(base.database, NEWER);
  await expectImportOpens(alone(NEWER));
  await withSecrets(alone(NEWER), expectAllFound);
  await expect(resealAll(base.database, base.secrets)).rejects.toThrow('is not at hand');
});

test('a key that is first only read lets nodes restart one after another', async () => {
  const vault = 'a third vault secret of thirty-two characters';
  const rotated = deriveSecrets(TEST_SECRET, null, vault);
  expect([rotated.vaults[0].id, rotated.vaults[1]!.id]).toEqual([1, NEWER.vaults[0].id]);
  await withSecrets(rotated, expectAllFound);
  expect(() => deriveSecrets(TEST_SECRET, vault, vault)).toThrow('generate another new secret');
});
