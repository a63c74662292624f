// `galeri sandbox`: the same figures from the database, for operators, and over HTTP, for integrators.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { UsageError } from '../../src/commands/command.ts';
import { sandboxCommand } from '../../src/commands/sandbox/sandbox.ts';
import { sealingKeys } from '../../src/domain/vault/vault.ts';
import { dropMessage } from '../../src/domain/worlds/messages.ts';
import { newId } from '../../src/kit/ids.ts';
import { sql } from '../../src/kit/sql.ts';
import { TEST_SECRET } from '../support/database.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, dealerWith, openAll } from '../support/writer.ts';
import { printed } from './printed.ts';

const ENDPOINTS = ['GET vehicles', 'POST vehicles'];

let api: TestService;
let folder = '';
beforeAll(async () => {
  api = await testService({ env: { SANDBOX: 'isolated' } });
  await openAll(api);
  folder = await mkdtemp(join(tmpdir(), 'galeri-sandbox-'));
});
beforeEach(() => {
  const settings = { DATABASE_URL: api.adminUrl, GALERI_SECRET: TEST_SECRET, DATA_DIR: join(folder, 'data') };
  for (const [name, value] of Object.entries({ ...settings, SANDBOX: 'isolated', GALERI_URL: api.service.url }))
    vi.stubEnv(name, value);
  return () => vi.unstubAllEnvs();
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

async function integrator(): Promise<{ account: string; key: string }> {
  const account = await api.account();
  const { secret: key } = await api.key(account, { endpoints: ENDPOINTS, environment: 'sandbox' });
  return { account, key };
}

const run = (...args: string[]): Promise<string> => printed(() => sandboxCommand.run(args));
const json = async (...args: string[]) => JSON.parse(await run(...args, '--json'));

describe.each(['an operator', 'an integrator'])('%s', (who) => {
  /** The options that reach the sandbox of the account. */
  async function reached(): Promise<{ to: string[]; account: string; key: string }> {
    const made = await integrator();
    if (who === 'an operator') return { ...made, to: ['--account', made.account] };
    vi.stubEnv('GALERI_KEY', made.key);
    return { ...made, to: [] };
  }

  test('resets the sandbox, and sees it', async () => {
    const { to, account, key } = await reached();
    const first = await json('reset', '--data', 'empty', ...to);
    expect(first).toMatchObject({ data: 'empty', counts: { vehicles: { count: 0 } } });
    await dealerWith(api, account, key).post('vehicles', aCar());
    expect(await run('show', ...to)).toMatch(
      new RegExp(`^id +${first.id}\n[^]*\nclock +\\S+ \\(at most \\S+\\)\nvehicles +1 of 1000\n`),
    );
    const second = await json('reset', ...to);
    expect(second.data).toBe('sample');
    expect(second.id).not.toBe(first.id);
    expect((await json('show', ...to)).id).toBe(second.id);
  });

  test('moves the clock by a duration, and to a day', async () => {
    const { to } = await reached();
    await run('reset', '--data', 'empty', ...to);
    const moved = await json('clock', '36h', ...to);
    expect(Date.parse(moved.to) - Date.parse(moved.from)).toBe(36 * 3_600_000);
    const shown = await json('clock', ...to);
    expect(shown.status).toBe('ready');
    expect(Date.parse(shown.now)).toBeGreaterThanOrEqual(Date.parse(moved.to));
    const day = new Date(Date.parse(shown.now) + 40 * 86_400_000).toISOString().slice(0, 10);
    expect(await run('clock', day, ...to)).toMatch(/^\S+ → \S+, \d+ events\n/);
    expect(await run('clock', ...to)).toMatch(/^\S+ \(at most \S+\)\n$/);
  });

  test('reads the messages', async () => {
    const { to } = await reached();
    const { id } = await json('reset', '--data', 'empty', ...to);
    expect(await run('messages', ...to)).toBe('There are no messages\n');
    const sms = { channel: 'SMS', to: '+905330000001', text: 'Kodunuz 4471' } as const;
    const mail = { channel: 'E-posta', to: 'deniz@example.com', subject: 'Taksit', text: 'Taksitiniz yaklaşıyor.' } as const;
    const now = new Date(`${(await json('clock', ...to)).now}`);
    await api.database.inTenant(id, 'write', async (db) => {
      for (const message of [sms, mail]) await dropMessage(db, sealingKeys(api.secrets, id), message, now);
    });
    expect(await json('messages', ...to)).toMatchObject([mail, sms]);
    expect(await json('messages', '--limit', '1', ...to)).toMatchObject([mail]);
    expect(await json('messages', '--to', 'DENIZ@example.com', ...to)).toMatchObject([mail]);
    expect(await run('messages', '--channel', 'sms', ...to)).toMatch(/^\S+ {2}SMS {2}\+905330000001\nKodunuz 4471\n$/);
  });

  test('gets refusals in one line', async () => {
    const { to } = await reached();
    await run('reset', '--data', 'empty', ...to);
    const refusals = [
      [['clock', '1w'], /advance must be a duration such as 30d, 6h or 45m/],
      [['clock', 'tomorrow'], /to must be a day such as 2027-03-01/],
      [['clock', '2001-01-01'], /forward/],
      [['clock', '9000d'], /cannot move beyond/],
    ] as const;
    for (const [args, message] of refusals) await expectRefusal([...args, ...to], message);
  });
});

async function expectRefusal(args: string[], message: RegExp): Promise<void> {
  const refused = await sandboxCommand.run(args).catch((error: unknown) => error);
  expect(refused, args.join(' ')).toBeInstanceOf(UsageError);
  expect((refused as Error).message).toMatch(message);
  expect((refused as Error).message).not.toContain('\n');
}

test('what an operator does is in the audit log of the account', async () => {
  const { account } = await integrator();
  await run('reset', '--data', 'empty', '--account', account);
  await run('clock', '1d', '--account', account);
  const rows = await api.database.onPlatform('read', (db) =>
    db.rows<{ action: string; actor_type: string }>(
      sql`select action, actor_type from audit_log where account_id = ${account} and actor_type = 'cli' order by created_at`,
    ),
  );
  expect(rows.map(({ action }) => action)).toEqual(['sandbox.reset', 'sandbox.clock_moved']);
});

test('bad input is refused before anything is opened', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://127.0.0.1:1/none');
  vi.stubEnv('GALERI_URL', 'http://127.0.0.1:1');
  const bad = [
    [[], /takes show, reset, clock or messages/],
    [['destroy'], /takes show, reset, clock or messages/],
    [['show', 'me'], /unexpected argument "me"/],
    [['show', '--account', 'x'], /--account must be the id of an account/],
    [['reset', '--data', 'all'], /--data must be sample or empty, not "all"/],
    [['clock', '1d', '2d'], /unexpected argument "2d"/],
    [['messages', '--limit', '0'], /--limit must be a whole number from 1 to 100/],
    [['messages', '--channel', 'Fax'], /--channel must be E-posta, WhatsApp or SMS, not "Fax"/],
  ] as const;
  for (const [args, message] of bad) await expectRefusal([...args], message);
});

test('an operator is refused without SANDBOX=isolated, for an unknown account, and for one without a sandbox', async () => {
  const account = await api.account();
  await expectRefusal(['show', '--account', account], /has no sandbox yet; galeri sandbox reset --account/);
  await expectRefusal(['show', '--account', newId()], /there is no account/);
  vi.stubEnv('SANDBOX', 'shared');
  await expectRefusal(['show', '--account', account], /set SANDBOX=isolated for this command and the service/);
});

test('an integrator is refused without a key that may, and without a service', async () => {
  vi.stubEnv('GALERI_KEY', 'gal_sand_x');
  await expectRefusal(['show'], /the key is not well formed/);
  const { secret } = await api.key(await api.account(), { endpoints: ENDPOINTS });
  vi.stubEnv('GALERI_KEY', secret);
  await expectRefusal(['show'], /refused the request: .+ \(sandbox_control_not_allowed\)$/);
  vi.stubEnv('GALERI_URL', 'http://127.0.0.1:1');
  await expectRefusal(['show'], /no reply from the service at http:\/\/127\.0\.0\.1:1 \(.+\); check GALERI_URL$/);
});
