// `key create|list|revoke|rotate|limit`: keys from the command line. The secret is printed once and kept nowhere.
import { AUTHORIZATIONS, type Authorization, TEMPLATES, type Template, templateEndpoints } from '../domain/keys/key-policy.ts';
import type { Environment } from '../domain/keys/key-secret.ts';
import { createKey, KeyRefusal, limitKey, listKeys, type PublicKey, revokeKey, rotateKey } from '../domain/keys/keys.ts';
import { parseRange, type Range } from '../domain/net/address.ts';
import { apiEndpoints } from '../http/api/api-endpoints.ts';
import { type Db, sqlState } from '../kit/db.ts';
import { Failure } from '../kit/errors.ts';
import { isUuid } from '../kit/ids.ts';
import { readInstant } from '../kit/params.ts';
import { sql } from '../kit/sql.ts';
import { resources } from '../resources/index.ts';
import { CLI_ACTOR } from './actor.ts';
import { type Command, integerOption, print, readOptions, required, table, UsageError } from './command.ts';
import { findEndpoint } from './release.ts';
import { withDatabase } from './with-database.ts';

const MAX_LIMIT = 1_000_000;

export const keyCommand: Command = {
  usage: [
    "key create --account ID --name N (--endpoint 'GET vehicles')… | --template read-only|vehicle|accounting|full|marketplace",
    '           [--environment production|sandbox] [--expires-at ISO] [--per-minute N] [--per-hour N] [--per-day N]',
    '           [--allow-ip CIDR]… [--authorize network_auction_bid|live_auction_bid|live_auction_operate]…',
    'key list --account ID',
    'key revoke ID',
    'key rotate ID [--overlap 24h]',
    'key limit ID --per-minute N',
  ],
  async run([act, ...args]) {
    const action = act === undefined || !Object.hasOwn(SUBCOMMANDS, act) ? undefined : SUBCOMMANDS[act];
    if (action === undefined) throw new UsageError('key takes create, list, revoke, rotate or limit');
    try {
      await action(args);
    } catch (error) {
      if (error instanceof Failure && error.code === 'not_found')
        throw new UsageError('there is no such key; see galeri key list --account ID');
      if (error instanceof Failure && error.code === 'plan_limit_reached')
        throw new UsageError(
          `the account has ${error.facts.words?.limit} keys that are not revoked, the maximum of its plan or KEYS_PER_ACCOUNT; revoke one first (plan_limit_reached)`,
        );
      throw error instanceof KeyRefusal ? new UsageError(error.message) : error;
    }
    return undefined;
  },
};

const SUBCOMMANDS: Readonly<Record<string, (args: string[]) => Promise<void>>> = { create, list, revoke, rotate, limit };

async function create(args: string[]): Promise<void> {
  const options = readOptions(args, {
    account: 'text',
    name: 'text',
    endpoint: 'list',
    template: 'text',
    environment: 'text',
    'expires-at': 'text',
    'per-minute': 'text',
    'per-hour': 'text',
    'per-day': 'text',
    'allow-ip': 'list',
    authorize: 'list',
  });
  const key = {
    accountId: uuidWord(required(options.account, 'account'), '--account'),
    name: nameOf(required(options.name, 'name')),
    environment: environmentOf(options.environment ?? 'production'),
    endpoints: endpointsOf(options.endpoint, options.template),
    expiresAt: expiryOf(options['expires-at']),
    limitPerMinute: integerOption(options['per-minute'], 'per-minute', 1, MAX_LIMIT) ?? 60,
    limitPerHour: integerOption(options['per-hour'], 'per-hour', 1, MAX_LIMIT),
    limitPerDay: integerOption(options['per-day'], 'per-day', 1, MAX_LIMIT),
    allowedIps: options['allow-ip'].map(rangeOf),
    authorizations: options.authorize.map(authorizationOf),
  };
  await withDatabase(async ({ database, secrets }, { keysPerAccount }) => {
    const made = await database
      .onPlatform('write', async (db) => {
        await refuseUnknownAccount(db, key.accountId);
        return createKey(db, secrets.pepper, key, CLI_ACTOR, keysPerAccount);
      })
      .catch((error) => {
        if (sqlState(error) === '23505') throw new UsageError(`the account already has a key named "${key.name}"`);
        throw error;
      });
    if (key.expiresAt !== null && key.expiresAt <= new Date())
      process.stderr.write('warning: the expiry date is in the past; this key is already expired\n');
    const text = `${made.secret}\n\nThis is the only time the key is shown. Its id is ${made.id}; it holds ${key.endpoints.length} endpoints.`;
    print(options.json, { id: made.id, key: made.secret, prefix: made.prefix }, text);
  });
}

async function list(args: string[]): Promise<void> {
  const { account, json } = readOptions(args, { account: 'text' });
  const id = uuidWord(required(account, 'account'), '--account');
  await withDatabase(async ({ database }) => {
    const keys = await database.onPlatform('read', async (db) => {
      await refuseUnknownAccount(db, id);
      return listKeys(db, id);
    });
    const head = ['ID', 'NAME', 'KEY', 'ENVIRONMENT', 'STATUS', 'PER MINUTE', 'ENDPOINTS'];
    print(json, keys, keys.length === 0 ? 'This account has no keys yet' : table([head, ...keys.map(columns)]));
  });
}

async function revoke(args: string[]): Promise<void> {
  const { words, json } = readOptions(args, {}, { min: 1, max: 1 });
  const id = uuidWord(words[0]!, 'ID');
  await withDatabase(async ({ database }) =>
    showKey(json, await database.onPlatform('write', (db) => revokeKey(db, id, CLI_ACTOR)), 'revoked'),
  );
}

async function rotate(args: string[]): Promise<void> {
  const { words, overlap, json } = readOptions(args, { overlap: 'text' }, { min: 1, max: 1 });
  const id = uuidWord(words[0]!, 'ID');
  const overlapMs = durationOf(overlap ?? '24h');
  await withDatabase(async ({ database, secrets }) => {
    const { key, secret } = await database.onPlatform('write', (db) => rotateKey(db, secrets.pepper, id, overlapMs, CLI_ACTOR));
    const text = `${secret}\n\nThis is the only time the new key is shown. The old one works for ${overlap ?? '24h'} more.`;
    print(json, { ...key, key: secret }, text);
  });
}

async function limit(args: string[]): Promise<void> {
  const { words, 'per-minute': perMinute, json } = readOptions(args, { 'per-minute': 'text' }, { min: 1, max: 1 });
  const id = uuidWord(words[0]!, 'ID');
  const limit = integerOption(required(perMinute, 'per-minute'), 'per-minute', 1, MAX_LIMIT)!;
  await withDatabase(async ({ database }) => {
    const key = await database.onPlatform('write', (db) => limitKey(db, id, limit, CLI_ACTOR));
    showKey(json, key, `limited to ${limit} requests per minute`);
  });
}

function showKey(json: boolean, key: PublicKey, what: string): void {
  print(json, key, `The key "${key.name}" (${key.prefix}…${key.last_four}) is ${what}`);
}

const columns = (key: PublicKey): string[] => [
  key.id,
  key.name,
  `${key.prefix}…${key.last_four}`,
  key.environment,
  key.status,
  String(key.limit_per_minute),
  String(key.endpoint_count),
];

async function refuseUnknownAccount(db: Db, id: string): Promise<void> {
  const [found] = await db.rows(sql`select 1 from accounts where id = ${id}`);
  if (found === undefined) throw new UsageError(`there is no account ${id}; see galeri account list`);
}

function uuidWord(text: string, what: string): string {
  if (!isUuid(text)) throw new UsageError(`${what} must be an id such as 0199c5f2-…, not "${text}"`);
  return text.toLowerCase();
}

function nameOf(text: string): string {
  if (text.length > 60) throw new UsageError('--name must be at most 60 characters');
  return text;
}

function environmentOf(text: string): Environment {
  if (text !== 'production' && text !== 'sandbox')
    throw new UsageError(`--environment must be production or sandbox, not "${text}"`);
  return text;
}

function endpointsOf(endpoints: readonly string[], template: string | undefined): string[] {
  if ((template === undefined) === (endpoints.length === 0))
    throw new UsageError('use either --template or one or more --endpoint');
  if (template === undefined) return [...new Set(endpoints.map((text) => findEndpoint(text).id))];
  if (!TEMPLATES.includes(template as Template))
    throw new UsageError(`--template must be one of ${TEMPLATES.join(', ')}, not "${template}"`);
  return templateEndpoints(template as Template, apiEndpoints(resources)).map((endpoint) => endpoint.id);
}

function expiryOf(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const at = readInstant(text);
  if (at === null) throw new UsageError(`--expires-at must be an instant such as 2027-01-31T21:00:00Z, not "${text}"`);
  return at;
}

function rangeOf(text: string): Range {
  const range = parseRange(text);
  if (range === null) throw new UsageError(`--allow-ip must be an address or a CIDR range such as 203.0.113.0/24, not "${text}"`);
  return range;
}

function authorizationOf(text: string): Authorization {
  const known = AUTHORIZATIONS.find((one) => one === text);
  if (known === undefined) throw new UsageError(`--authorize must be one of ${AUTHORIZATIONS.join(', ')}, not "${text}"`);
  return known;
}

/** `0`, `30m`, `24h`, `7d`; a week at most. */
function durationOf(text: string): number {
  const match = /^(\d{1,5})(s|m|h|d)?$/.exec(text);
  const unit = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[(match?.[2] ?? 's') as 's' | 'm' | 'h' | 'd'];
  const milliseconds = match === null ? Number.NaN : Number(match[1]) * unit;
  if (!(milliseconds <= 7 * 86_400_000))
    throw new UsageError(`--overlap must be a time such as 0, 1h, 24h or 7d (at most 7d), not "${text}"`);
  return milliseconds;
}
