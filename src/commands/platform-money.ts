// `platform topup`, `wallet`, `ledger`, `membership`, `invoice`: the administrator's side of a dealer's money: top-ups, corrections, plans, invoices, and the books of all.
import { databaseClock } from '../domain/clock/database-clock.ts';
import { INVOICE_FIELDS, issueInvoice } from '../domain/membership/invoices.ts';
import { MEMBERSHIP_FIELDS, setMembership } from '../domain/membership/membership.ts';
import { LIMITS } from '../domain/membership/membership-states.ts';
import { readCreateBody, readPatchBody } from '../domain/records/body.ts';
import { fieldContext } from '../domain/records/fields.ts';
import { readBooks } from '../domain/wallet/books.ts';
import { CORRECTION_FIELDS, correctWallet } from '../domain/wallet/correction.ts';
import { PAID_FROM, type PaidFrom, settleInvoice } from '../domain/wallet/invoice-payment.ts';
import { approveTopup, rejectTopup } from '../domain/wallet/topup-decision.ts';
import { Failure, messageOf } from '../kit/errors.ts';
import { isUuid } from '../kit/ids.ts';
import { sql } from '../kit/sql.ts';
import type { Work } from '../kit/work.ts';
import { CLI_ACTOR } from './actor.ts';
import { accountId, type Command, openWriter, print, readOptions, required, UsageError, withDatabase } from './command.ts';

type Act = (args: string[]) => Promise<void>;

/** A refusal is one line and changes nothing. */
const command = (usage: readonly string[], act: Act): Command => ({
  usage,
  async run(args) {
    try {
      await act(args);
    } catch (error) {
      throw error instanceof Failure ? new UsageError(wordsOf(error)) : error;
    }
    return undefined;
  },
});

/** One line: what is wrong with each field, or the refusal itself, with its code. */
function wordsOf({ code, facts }: Failure): string {
  const details = (facts.details ?? []).map(({ message }) => (typeof message === 'string' ? message : message.en));
  return `${details.length > 0 ? details.join('; ') : messageOf(code, facts, 'en')} (${code})`;
}

export const MONEY_NOUNS: Readonly<Record<string, Command>> = {
  topup: command(['platform topup approve|reject ID [--note T]'], topup),
  wallet: command(['platform wallet adjust --account ID --amount=±A --description T'], wallet),
  ledger: command(['platform ledger [--account ID]'], ledger),
  membership: command(
    ['platform membership set --account ID --plan P [--status S] [--price A] [--limit vehicles=N|none]…'],
    membership,
  ),
  invoice: command(
    [
      'platform invoice issue --account ID --amount A --tax-rate R --period-start D --period-end D --due-date D',
      'platform invoice settle ID --from wallet|outside',
    ],
    invoice,
  ),
};

/** The same write as the panel's, on the dealer's own data. `of`: whose it is, or the table that says so of a record. */
const write = <T>(of: string | { readonly table: Owned; readonly id: string }, run: (work: Work) => Promise<T>): Promise<T> =>
  withDatabase(async (connected, config) => {
    const clock = await databaseClock(connected.database);
    const dataSet = typeof of === 'string' ? of : await ownerOf(connected.database, of);
    const account = await connected.database.onPlatform('read', async (db) => {
      const [found] = await db.rows<{ id: string; timezone: string }>(
        sql`select id, timezone from accounts where id = ${dataSet}`,
      );
      return found;
    });
    if (account === undefined) throw new UsageError(`there is no account ${dataSet}; see galeri account list`);
    return openWriter(connected, config, clock).write({ dataSet, account, actor: CLI_ACTOR, now: clock.now() }, run);
  });

type Owned = 'wallet_topups' | 'membership_invoices';
const OWNERS = {
  wallet_topups: (id: string) => sql`select account_id from wallet_topups where id = ${id}`,
  membership_invoices: (id: string) => sql`select account_id from membership_invoices where id = ${id}`,
} as const;

async function ownerOf(
  database: Parameters<typeof databaseClock>[0],
  { table, id }: { table: Owned; id: string },
): Promise<string> {
  const [row] = isUuid(id) ? await database.onPlatform('read', (db) => db.rows<{ account_id: string }>(OWNERS[table](id))) : [];
  if (row === undefined)
    throw new UsageError(table === 'wallet_topups' ? `there is no top-up ${id}` : `there is no invoice ${id}`);
  return row.account_id;
}

async function topup([act, ...args]: string[]): Promise<void> {
  if (act !== 'approve' && act !== 'reject') throw new UsageError('platform topup takes approve or reject');
  const { words, note = null, json } = readOptions(args, { note: 'text' }, { min: 1, max: 1 });
  const id = words[0]!.toLowerCase();
  const decision = { note, personId: null, twoDecide: false, first: null };
  const decided = await write({ table: 'wallet_topups', id }, (work) =>
    act === 'approve' ? approveTopup(work, id, decision) : rejectTopup(work, id, decision),
  );
  print(json, decided, `${decided.amount} ${decided.currency}: ${decided.status}`);
}

async function wallet([act, ...args]: string[]): Promise<void> {
  if (act !== 'adjust') throw new UsageError('platform wallet takes adjust');
  const given = readOptions(args, { account: 'text', amount: 'text', description: 'text' });
  const id = accountId(given.account);
  const fields = { amount: required(given.amount, 'amount'), description: required(given.description, 'description') };
  const posted = await write(id, (work) =>
    correctWallet(work, readCreateBody(CORRECTION_FIELDS, fields, fieldContext(work.now, work.account.timezone))),
  );
  print(given.json, posted, `${posted.amount} ${posted.currency}, balance ${posted.balance_after}`);
}

async function ledger(args: string[]): Promise<void> {
  const { account, json } = readOptions(args, { account: 'text' });
  const whose = account === undefined ? null : accountId(account);
  const books = await withDatabase(({ database }) => database.onPlatform('read', (db) => readBooks(db, whose)));
  const lines = books.accounts.map(
    ({ code, currency, debit, credit }) => `${code}  ${debit} debit, ${credit} credit ${currency}`,
  );
  print(json, books, lines.length === 0 ? 'Nothing was posted yet' : lines.join('\n'));
}

async function membership([act, ...args]: string[]): Promise<void> {
  if (act !== 'set') throw new UsageError('platform membership takes set');
  const given = readOptions(args, {
    ...{ account: 'text', plan: 'text', status: 'text', price: 'text' },
    limit: 'list',
  });
  const id = accountId(given.account);
  const { plan, status, price } = given;
  const fields = Object.fromEntries(Object.entries({ plan, status, price }).filter(([, value]) => value !== undefined));
  const limits = Object.fromEntries(given.limit.map(limitOf));
  const asked = { ...fields, ...(given.limit.length > 0 ? { limits } : {}) };
  const shown = await write(id, (work) =>
    setMembership(work, readPatchBody(MEMBERSHIP_FIELDS, asked, fieldContext(work.now, work.account.timezone))),
  );
  print(given.json, shown, `${shown.plan}, ${shown.status}, ${shown.price} ${shown.currency}`);
}

/** `vehicles=50`; `none` takes the limit away. */
function limitOf(text: string): [string, number | null] {
  const [, name, value] = /^(\w+)=(\d{1,9}|none)$/.exec(text) ?? [];
  if (!LIMITS.some((one) => one === name))
    throw new UsageError(`--limit must be NAME=N or NAME=none with ${LIMITS.join(', ')}, not "${text}"`);
  return [name!, value === 'none' ? null : Number(value)];
}

async function invoice([act, ...args]: string[]): Promise<void> {
  if (act === 'issue') return issue(args);
  if (act === 'settle') return settle(args);
  throw new UsageError('platform invoice takes issue or settle');
}

async function issue(args: string[]): Promise<void> {
  const {
    account,
    json,
    words: _,
    ...given
  } = readOptions(args, {
    ...{ account: 'text', amount: 'text', 'tax-rate': 'text', 'period-start': 'text', 'period-end': 'text', 'due-date': 'text' },
  });
  const id = accountId(account);
  const fields = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name.replace('-', '_'), required(value, name)]),
  );
  const shown = await write(id, (work) =>
    issueInvoice(work, readCreateBody(INVOICE_FIELDS, fields, fieldContext(work.now, work.account.timezone))),
  );
  print(json, shown, `${shown.invoice_no}: ${shown.total} ${shown.currency}, due on ${shown.due_date}`);
}

async function settle(args: string[]): Promise<void> {
  const { words, from, json } = readOptions(args, { from: 'text' }, { min: 1, max: 1 });
  const id = words[0]!.toLowerCase();
  if (!PAID_FROM.some((one) => one === from)) throw new UsageError(`--from must be one of ${PAID_FROM.join(', ')}`);
  const shown = await write({ table: 'membership_invoices', id }, (work) => settleInvoice(work, id, from as PaidFrom));
  print(json, shown, `${shown.invoice_no}: ${shown.status}`);
}
