// Closing the till of a branch for a day: the recorded amounts beside the counted ones. A closed day accepts no more till
// payments.

import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { CURRENCIES, type Currency, formatMoney } from '../../kit/money.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { refusedDay } from '../formats/written.ts';
import { COLLECTION_METHODS } from '../installments/sales-states.ts';
import type { CreateBody } from '../records/body.ts';
import {
  dayField,
  type Fields,
  listField,
  objectField,
  oneOfField,
  required,
  signedMoneyField,
  textField,
  uuidField,
} from '../records/fields.ts';
import { badField } from '../sales/sale.ts';
import { audit } from '../writes/audit.ts';
import { type ExpectedLine, expectedLines } from './till-money.ts';

const MAX_LINES = CURRENCIES.length * COLLECTION_METHODS.length;

export const CLOSE_FIELDS = {
  branch_id: required(uuidField),
  day: required(dayField({ past: true })),
  counted: required(
    listField(
      objectField({
        currency: required(oneOfField(CURRENCIES)),
        method: required(oneOfField(COLLECTION_METHODS)),
        amount: required(signedMoneyField),
      }),
      MAX_LINES,
    ),
  ),
  reason: textField(500, { min: 3 }),
} as const satisfies Fields;

export const REOPEN_FIELDS = { reason: required(textField(500, { min: 3 })) } as const satisfies Fields;

export interface TillLine {
  readonly currency: Currency;
  readonly method: string;
  readonly count: number;
  /** Cash as it was last counted. Closings of earlier versions carried nothing over and lack these three. */
  readonly opening?: string;
  readonly cash_in?: string;
  readonly cash_out?: string;
  /** Opening and what came in, less what went out. */
  readonly expected: string;
  readonly counted: string | null;
  readonly difference: string | null;
}

export interface TillDay {
  readonly branch_id: string;
  readonly day: string;
  readonly closed_through: string | null;
  readonly lines: readonly TillLine[];
}

const shownLine = ({ opening, cash_in, cash_out, expected, ...line }: ExpectedLine) => ({
  ...line,
  opening: formatMoney(opening),
  cash_in: formatMoney(cash_in),
  cash_out: formatMoney(cash_out),
  expected: formatMoney(expected),
});

/** The amounts that closing this day would compare. */
export async function previewTill(db: Db, branchId: string, day: string): Promise<TillDay> {
  const { closed_through } = await db.one<{ closed_through: string | null }>(
    sql`select closed_through from ${own('branches')} where id = ${branchId}`,
  );
  const lines = await expectedLines(db, branchId, day);
  return {
    branch_id: branchId,
    day,
    closed_through,
    lines: lines.map((line) => ({ ...shownLine(line), counted: null, difference: null })),
  };
}

export async function closeTill(
  work: Work,
  { branch_id, day, counted, reason }: CreateBody<typeof CLOSE_FIELDS>,
): Promise<TillClosing> {
  const { db, now, actor, account } = work;
  // Exclusive lock: waits for running collections of this branch and blocks new ones.
  const [branch] = await db.rows<{ closed_through: string | null }>(
    sql`select closed_through from ${own('branches')} where id = ${branch_id} for update`,
  );
  if (branch === undefined) return fail('not_found');
  if (branch.closed_through !== null && day <= branch.closed_through)
    fail('day_closed', { words: { day: refusedDay(branch.closed_through) } });
  const lines = comparedLines(await expectedLines(db, branch_id, day), counted);
  if (lines.some(({ difference }) => difference !== '0.00') && reason === undefined)
    badField('reason', 'required', 'A difference needs a reason', 'Fark için gerekçe gerekir');
  const id = newId(now.getTime());
  db.send(sql`insert into till_closings (account_id, id, branch_id, day, lines, reason, closed_by, closed_at)
    values (${theAccount}, ${id}, ${branch_id}, ${day}, ${JSON.stringify(lines)}::jsonb, ${reason ?? null}, ${actor.fullName ?? actor.name}, ${now})`);
  db.send(sql`update branches set closed_through = ${day} where account_id = ${theAccount} and id = ${branch_id}`);
  await audit(db, actor, 'till.closed', id, { accountId: account.id, after: { branch_id, day, reason: reason ?? null } });
  return readClosing(db, id);
}

function comparedLines(expected: readonly ExpectedLine[], counted: CreateBody<typeof CLOSE_FIELDS>['counted']): TillLine[] {
  const countedAmounts = new Map<string, bigint>();
  for (const { currency, method, amount } of counted) {
    const name = `${currency} ${method}`;
    if (countedAmounts.has(name))
      badField(
        'counted',
        'not_allowed',
        'Each currency and method may appear once',
        'Her para birimi ve yöntem bir kez yer alabilir',
      );
    countedAmounts.set(name, amount!);
  }
  requireSigns(expected, counted);
  const known = new Set(expected.map(({ currency, method }) => `${currency} ${method}`));
  const extra = counted.filter(({ currency, method }) => !known.has(`${currency} ${method}`));
  const nothing = { count: 0, opening: 0n, cash_in: 0n, cash_out: 0n, expected: 0n };
  const all: ExpectedLine[] = [
    ...expected,
    ...extra.map(({ currency, method }) => ({ ...nothing, currency: currency!, method: method! })),
  ];
  return all.map((line) => {
    const found = countedAmounts.get(`${line.currency} ${line.method}`) ?? 0n;
    return { ...shownLine(line), counted: formatMoney(found), difference: formatMoney(found - line.expected) };
  });
}

/** More may have been paid out by a method than came in; in other cases a negative amount is a typing error. */
function requireSigns(expected: readonly ExpectedLine[], counted: CreateBody<typeof CLOSE_FIELDS>['counted']): void {
  for (const [place, { currency, method, amount }] of counted.entries()) {
    const line = expected.find((one) => one.currency === currency && one.method === method);
    if (amount! < 0n && (line?.expected ?? 0n) >= 0n)
      badField(
        `counted[${place}].amount`,
        'out_of_range',
        'The counted amount can be negative only if the expected amount is negative',
        'Sayılan tutar, yalnızca beklenen tutar sıfırın altındaysa eksi olabilir',
      );
  }
}

export interface TillClosing {
  readonly id: string;
  readonly branch_id: string;
  readonly day: string;
  readonly lines: readonly TillLine[];
  readonly reason: string | null;
  readonly closed_by: string;
  readonly closed_at: string;
  readonly reopened_by: string | null;
  readonly reopened_at: string | null;
  readonly reopen_reason: string | null;
}

const CLOSING = sql`id, branch_id, day, lines, reason, closed_by, utc_text(closed_at) as closed_at, reopened_by, utc_text(reopened_at) as reopened_at,
  reopen_reason`;

export const readClosing = (db: Db, id: string): Promise<TillClosing> =>
  db.one<TillClosing>(sql`select ${CLOSING} from ${own('till_closings')} where id = ${id}`);

/** Newest day first; one more than the page size if there is a next page. */
export const listClosings = (
  db: Db,
  { branch_id, limit, offset }: { readonly branch_id?: string | undefined; readonly limit: number; readonly offset: number },
): Promise<TillClosing[]> =>
  db.rows<TillClosing>(sql`select ${CLOSING} from ${own('till_closings')} where (${branch_id ?? null}::uuid is null or branch_id = ${branch_id ?? null}::uuid)
    order by day desc, closed_at desc, id limit ${limit + 1} offset ${offset}`);

/** The days after it are reopened too, because their totals began where this one ended. */
export async function reopenTill(work: Work, id: string, { reason }: CreateBody<typeof REOPEN_FIELDS>): Promise<TillClosing> {
  const { db, now, actor, account } = work;
  const { branch_id, day } = await readClosing(db, id);
  await db.exec(sql`select from ${own('branches')} where id = ${branch_id} for update`);
  // Read under the lock: a concurrent request may have reopened it, and the day may have been closed again.
  if ((await readClosing(db, id)).reopened_at !== null) fail('decided_meanwhile');
  db.send(sql`update till_closings set reopened_by = ${actor.fullName ?? actor.name}, reopened_at = ${now}, reopen_reason = ${reason}
    where account_id = ${theAccount} and branch_id = ${branch_id} and day >= ${day}::date and reopened_at is null`);
  db.send(sql`update branches set closed_through = (select max(day) from ${own('till_closings')} where branch_id = ${branch_id} and reopened_at is null)
    where account_id = ${theAccount} and id = ${branch_id}`);
  await audit(db, actor, 'till.reopened', id, { accountId: account.id, after: { branch_id, day, reason } });
  return readClosing(db, id);
}
