// `platform topup`, `wallet`, `ledger`, `membership`, `invoice`: the administrator's side of a dealer's money: top-ups, corrections, plans, invoices, and the books of all.
import { INVOICE_FIELDS, issueInvoice } from '../../domain/membership/invoices.ts';
import { MEMBERSHIP_FIELDS, setMembership } from '../../domain/membership/membership.ts';
import { LIMITS } from '../../domain/membership/membership-states.ts';
import { readCreateBody, readPatchBody } from '../../domain/records/body.ts';
import { fieldContext, nullable } from '../../domain/records/fields.ts';
import { readBooks } from '../../domain/wallet/books.ts';
import { CORRECTION_FIELDS, correctWallet } from '../../domain/wallet/correction.ts';
import { PAID_FROM, type PaidFrom, settleInvoice } from '../../domain/wallet/invoice-payment.ts';
import { decideCorrection, decideSettlement } from '../../domain/wallet/money-decisions.ts';
import { approveTopup, DECISION_NOTE, rejectTopup } from '../../domain/wallet/topup-decision.ts';
import { sql } from '../../kit/sql.ts';
import { CLI_ACTOR } from '../actor.ts';
import { accountId, type Command, print, readOptions, required, UsageError } from '../command.ts';
import { withDatabase } from '../with-database.ts';
import { command, type Owned, write } from './platform-write.ts';

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

/** The command line decides alone. */
const decider = (realNow: Date) => ({ personId: null, actor: CLI_ACTOR, realNow, fourEyes: false });

const topupOwner = (id: string): Owned => ({
  what: 'top-up',
  id,
  statement: sql`select account_id from wallet_topups where id = ${id}`,
});
const invoiceOwner = (id: string): Owned => ({
  what: 'invoice',
  id,
  statement: sql`select account_id from membership_invoices where id = ${id}`,
});

async function topup([act, ...args]: string[]): Promise<void> {
  if (act !== 'approve' && act !== 'reject') throw new UsageError('platform topup takes approve or reject');
  const { words, note: text, json } = readOptions(args, { note: 'text' }, { min: 1, max: 1 });
  const id = words[0]!.toLowerCase();
  const decided = await write(topupOwner(id), (work) => {
    const context = fieldContext(work.now, work.account.timezone);
    const { note = null } = readCreateBody({ note: nullable(DECISION_NOTE) }, text === undefined ? {} : { note: text }, context);
    const decision = { note, personId: null, twoDecide: false, first: null };
    return act === 'approve' ? approveTopup(work, id, decision) : rejectTopup(work, id, decision);
  });
  print(json, decided, `${decided.amount} ${decided.currency}: ${decided.status}`);
}

async function wallet([act, ...args]: string[]): Promise<void> {
  if (act !== 'adjust') throw new UsageError('platform wallet takes adjust');
  const options = readOptions(args, { account: 'text', amount: 'text', description: 'text' });
  const id = accountId(options.account);
  const fields = { amount: required(options.amount, 'amount'), description: required(options.description, 'description') };
  const posted = await write(id, async (work, { database, realNow }) => {
    const correction = readCreateBody(CORRECTION_FIELDS, fields, fieldContext(work.now, work.account.timezone));
    const { id: decisionId } = await database.onPlatform('write', (db) =>
      decideCorrection(db, id, correction, work.now, decider(realNow)),
    );
    return correctWallet(work, { ...correction, decisionId });
  });
  print(options.json, posted, `${posted.amount} ${posted.currency}, balance ${posted.balance_after}`);
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
  const options = readOptions(args, {
    account: 'text',
    plan: 'text',
    status: 'text',
    price: 'text',
    limit: 'list',
  });
  const id = accountId(options.account);
  const { plan, status, price } = options;
  const fields = Object.fromEntries(Object.entries({ plan, status, price }).filter(([, value]) => value !== undefined));
  const limits = Object.fromEntries(options.limit.map(limitOf));
  const changes = { ...fields, ...(options.limit.length > 0 ? { limits } : {}) };
  const shown = await write(id, (work) =>
    setMembership(work, readPatchBody(MEMBERSHIP_FIELDS, changes, fieldContext(work.now, work.account.timezone))),
  );
  print(options.json, shown, `${shown.plan}, ${shown.status}, ${shown.price} ${shown.currency}`);
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
    ...values
  } = readOptions(args, {
    account: 'text',
    amount: 'text',
    'tax-rate': 'text',
    'period-start': 'text',
    'period-end': 'text',
    'due-date': 'text',
  });
  const id = accountId(account);
  const fields = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name.replace('-', '_'), required(value, name)]),
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
  const shown = await write(invoiceOwner(id), async (work, { database, realNow }) => {
    const settlement = [work.account.id, id, from as PaidFrom, decider(realNow)] as const;
    const { id: decisionId } = await database.onPlatform('write', (db) => decideSettlement(db, ...settlement));
    return settleInvoice(work, id, { from: from as PaidFrom, decisionId });
  });
  print(json, shown, `${shown.invoice_no}: ${shown.status}`);
}
