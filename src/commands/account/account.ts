// `account create|list|set|move` and `admin create|confirm`.
import { changeAccount } from '../../domain/accounts/account-change.ts';
import { AccountRefusal, COUNTRIES, type Country, createAccount, listAccounts } from '../../domain/accounts/accounts.ts';
import { CAPABILITIES, type Capability } from '../../domain/accounts/accounts-states.ts';
import { databaseClock } from '../../domain/clock/database-clock.ts';
import {
  COMMAND_LINE,
  checkEmail,
  confirmAdmin,
  createAdmin,
  createOwner,
  hashPassword,
  PersonRefusal,
} from '../../domain/identity/people.ts';
import { CURRENCIES, type Currency } from '../../kit/money.ts';
import { CLI_ACTOR } from '../actor.ts';
import { accountId, type Command, print, readOptions, required, table, UsageError } from '../command.ts';
import { readPassword } from '../password.ts';
import { withDatabase } from '../with-database.ts';
import { moveAccount } from './move.ts';

export const accountCommand: Command = {
  usage: [
    'account create --name N [--legal-name L] [--city C] [--phone P] [--country KKTC|TR] [--currency TL|STG|USD|EUR]',
    ' [--owner-email E [--owner-name N] [--password-stdin]]',
    'account list',
    'account set ID [--legal-name L] [--phone P] [--city C] [--status Aktif|Askıda] [--capability NAME=on|off]…',
    'account move ID --to DATABASE_URL --files FOLDER|S3_URL|shared [--public-url URL] [--dry-run]',
    'account move ID --to DATABASE_URL --abort',
    'account move ID --finish',
  ],
  async run([act, ...args]) {
    if (act === 'create') await asUsage(() => create(args));
    else if (act === 'list') await list(args);
    else if (act === 'set') await asUsage(() => set(args));
    else if (act === 'move') await moveAccount(args);
    else throw new UsageError('account takes create, list, set or move');
    return undefined;
  },
};

export const adminCommand: Command = {
  usage: ['admin create --email E [--name N] [--password-stdin]', 'admin confirm --email E'],
  async run([act, ...args]) {
    if (act === 'create') await asUsage(() => createAdministrator(args));
    else if (act === 'confirm') await confirmAdministrator(args);
    else throw new UsageError('admin takes create or confirm');
    return undefined;
  },
};

async function createAdministrator(args: string[]): Promise<void> {
  const options = readOptions(args, { email: 'text', name: 'text', 'password-stdin': 'flag' });
  const email = checkEmail(required(options.email, 'email'));
  const hash = await hashPassword(await readPassword(options['password-stdin']), COMMAND_LINE);
  await withDatabase(async ({ database }) => {
    const made = await database.onPlatform('write', (db) => createAdmin(db, email, hash, CLI_ACTOR, options.name));
    print(options.json, made, `${email} is now a platform administrator (${made.id})`);
  });
}

/** Until this command confirms it, an administrator created in the panel does not count as a different person from their creator. */
async function confirmAdministrator(args: string[]): Promise<void> {
  const options = readOptions(args, { email: 'text' });
  const email = required(options.email, 'email');
  await withDatabase(async ({ database }) => {
    const found = await database.onPlatform('write', (db) => confirmAdmin(db, email, CLI_ACTOR));
    if (found === null) throw new UsageError(`there is no administrator with the e-mail address ${email}`);
    print(options.json, found, `${email} is confirmed as an independent administrator (${found.id})`);
  });
}

async function create(args: string[]): Promise<void> {
  const options = readOptions(args, {
    name: 'text',
    'legal-name': 'text',
    city: 'text',
    phone: 'text',
    country: 'text',
    currency: 'text',
    'owner-email': 'text',
    'owner-name': 'text',
    'password-stdin': 'flag',
  });
  const account = {
    name: required(options.name, 'name'),
    legal_name: options['legal-name'] ?? null,
    city: options.city ?? null,
    phone: options.phone ?? null,
    ...(options.country === undefined ? {} : { country: oneOf('country', options.country, COUNTRIES) as Country }),
    ...(options.currency === undefined ? {} : { currency: oneOf('currency', options.currency, CURRENCIES) as Currency }),
  };
  const email = options['owner-email'] === undefined ? null : checkEmail(options['owner-email']);
  const hash = email === null ? null : await hashPassword(await readPassword(options['password-stdin']), COMMAND_LINE);
  await withDatabase(async ({ database }) => {
    const clock = await databaseClock(database);
    const made = await database.onPlatform('write', async (db) => {
      const created = await createAccount(db, account, CLI_ACTOR, clock.now());
      if (email !== null) await createOwner(db, created.id, email, hash!, CLI_ACTOR, options['owner-name']);
      return created;
    });
    print(options.json, made, `Created ${made.name} (${made.id})`);
  });
}

/** An empty value clears what it names. */
async function set(args: string[]): Promise<void> {
  const options = { 'legal-name': 'text', phone: 'text', city: 'text', status: 'text', capability: 'list' } as const;
  const { words, json, capability, 'legal-name': legal_name, ...texts } = readOptions(args, options, { min: 1, max: 1 });
  const id = accountId(words[0]!, 'the id');
  const capabilities: Record<string, unknown> = Object.fromEntries(capability.map(readCapability));
  for (const [name, text] of Object.entries({ legal_name, phone: texts.phone, city: texts.city, status: texts.status }))
    if (text !== undefined) capabilities[name] = text.trim() === '' ? null : text;
  if (Object.keys(capabilities).length === 0) throw new UsageError('there is nothing to change; see galeri help account');
  await withDatabase(async ({ database }) => {
    const { now } = (await databaseClock(database)).times();
    const changed = await database.onPlatform('write', (db) => changeAccount(db, id, capabilities, CLI_ACTOR, now));
    if (changed === null) throw new UsageError(`there is no account ${id}; see galeri account list`);
    print(json, changed, `Updated ${changed.name} (${changed.id}): ${changed.status}`);
  });
}

function readCapability(text: string): [Capability, boolean] {
  const [name = '', state = ''] = text.split('=');
  oneOf('capability', name, CAPABILITIES);
  if (state !== 'on' && state !== 'off') throw new UsageError(`--capability must be ${name}=on or ${name}=off, not "${text}"`);
  return [name as Capability, state === 'on'];
}

async function list(args: string[]): Promise<void> {
  const { json } = readOptions(args, {});
  await withDatabase(async ({ database }) => {
    const accounts = await database.onPlatform('read', listAccounts);
    const head = ['ID', 'NAME', 'CITY', 'COUNTRY', 'CURRENCY', 'STATUS'];
    const lines = accounts.map((one) => [one.id, one.name, one.city ?? '', one.country, one.default_currency, one.status]);
    print(json, accounts, accounts.length === 0 ? 'There are no accounts yet' : table([head, ...lines]));
  });
}

function oneOf(name: string, value: string, values: readonly string[]): string {
  if (!values.includes(value)) throw new UsageError(`--${name} must be one of ${values.join(', ')}, not "${value}"`);
  return value;
}

async function asUsage(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof AccountRefusal || error instanceof PersonRefusal ? new UsageError(error.message) : error;
  }
}
