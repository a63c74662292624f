// Cash that moves between a till and the bank, the safe or the till of another branch: one record with both sides.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { columnsOf, currency, day, money, nullable, type Of, object, oneOf, text, timestamp, uuid } from '../../kit/schema.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import type { CreateBody } from '../records/body.ts';
import {
  currencyField,
  dayField,
  type Fields,
  moneyField,
  nullable as nullableField,
  oneOfField,
  required,
  textField,
  uuidField,
  withDefault,
} from '../records/fields.ts';
import { nextNumbers } from '../records/number-series.ts';
import { type Columns, sendRecord, violatedConstraint } from '../records/record.ts';
import { badField, unknownReference } from '../sales/sale.ts';
import { requireOpenDay, type Till } from '../sales/till.ts';
import { audit } from '../writes/audit.ts';
import { CASH_PLACES, TILL_PLACE } from './expenses-states.ts';

export const TRANSFER_FIELDS = {
  amount: required(moneyField({ above: 0n })),
  currency: required(currencyField),
  day: withDefault(dayField({ past: true }), 'today', 'bugün'),
  from_place: required(oneOfField(CASH_PLACES)),
  from_branch_id: nullableField(uuidField),
  to_place: required(oneOfField(CASH_PLACES)),
  to_branch_id: nullableField(uuidField),
  note: nullableField(textField(2000, { lines: true })),
} as const satisfies Fields;
type TransferBody = CreateBody<typeof TRANSFER_FIELDS>;

const stored = {
  id: uuid(),
  transfer_no: text('V-2026-00001'),
  amount: money(),
  currency: currency(),
  day: day(),
  from_place: oneOf(CASH_PLACES),
  from_branch_id: nullable(uuid()),
  to_place: oneOf(CASH_PLACES),
  to_branch_id: nullable(uuid()),
  note: nullable(text()),
  reverses_id: nullable(uuid()),
  reversal_reason: nullable(text()),
  created_by: text(),
  created_at: timestamp(),
};
export const CashTransfer = object({ ...stored, reversed_by_id: nullable(uuid()) });
export type CashTransfer = Of<typeof CashTransfer>;

const SELECT_LIST = sql`${columnsOf(object(stored))},
  (select id from ${own('cash_transfers')} where reverses_id = chosen.id) as reversed_by_id`;

const readTransfer = (db: Db, id: string): Promise<CashTransfer> =>
  db.one<CashTransfer>(sql`select ${SELECT_LIST} from (select * from ${own('cash_transfers')} where id = ${id}) chosen`);

/** One more than the page size if there is a next page. */
export const listTransfers = (
  db: Db,
  { branch_id, limit, offset }: { readonly branch_id?: string | undefined; readonly limit: number; readonly offset: number },
): Promise<CashTransfer[]> =>
  db.rows<CashTransfer>(sql`select ${SELECT_LIST} from (select * from ${own('cash_transfers')}
      where ${branch_id ?? null}::uuid is null or ${branch_id ?? null}::uuid in (from_branch_id, to_branch_id)
      order by day desc, number desc, id desc limit ${limit + 1} offset ${offset}) chosen`);

export async function transferCash(work: Work, body: TransferBody): Promise<CashTransfer> {
  const day = body.day ?? work.today;
  const sides = { from_branch_id: body.from_branch_id ?? null, to_branch_id: body.to_branch_id ?? null };
  requireSides(body, sides);
  await shareTills(work, Object.values(sides), day);
  const { amount, currency, from_place, to_place, note = null } = body;
  const places = { from_place, to_place, ...sides };
  return insertTransfer(work, { amount_minor: amount, currency, day, ...places, note, reverses_id: null, reversal_reason: null });
}

interface Sides {
  readonly from_branch_id: string | null;
  readonly to_branch_id: string | null;
}

function requireSides({ from_place, to_place }: TransferBody, { from_branch_id, to_branch_id }: Sides): void {
  for (const [place, branch, field] of [
    [from_place, from_branch_id, 'from_branch_id'],
    [to_place, to_branch_id, 'to_branch_id'],
  ] as const) {
    if (place === TILL_PLACE && branch === null) badField(field, 'required', 'A till requires a branch', 'Kasa bir şubenindir');
    if (place !== TILL_PLACE && branch !== null)
      badField(field, 'not_allowed', 'A branch is allowed only for a till', 'Yalnızca kasa bir şubeye aittir');
  }
  if (from_branch_id === null && to_branch_id === null)
    badField('to_place', 'not_allowed', 'from_place or to_place must be a till', 'Bir taraf kasa olmalı');
  if (from_place === to_place && from_branch_id === to_branch_id)
    badField('to_place', 'not_allowed', 'Source and destination must differ', 'İki taraf farklı olmalı');
}

/** In id order, so that two transfers in opposite directions cannot deadlock. */
async function shareTills({ db }: Work, sides: readonly (string | null)[], day: string): Promise<void> {
  const ids = sides.filter((id) => id !== null);
  const tills = await db.rows<Till>(sql`select id as branch_id, closed_through from ${own('branches')}
    where id = any(${ids}::uuid[]) order by id for share`);
  if (tills.length < ids.length) {
    const known = new Set(tills.map(({ branch_id }) => branch_id));
    unknownReference(sides[0] !== null && !known.has(sides[0]!) ? 'from_branch_id' : 'to_branch_id');
  }
  for (const till of tills) requireOpenDay(till, day);
}

async function insertTransfer(work: Work, columns: Columns & { readonly reverses_id: string | null }): Promise<CashTransfer> {
  const { db, now, actor, account } = work;
  const [number] = await nextNumbers(work, 'V', 1);
  const id = newId(now.getTime());
  const by = actor.fullName ?? actor.name;
  const made = { id, number: number!.order, transfer_no: number!.text, created_by: by, created_at: now };
  sendRecord(db, 'cash_transfers', { ...columns, ...made }, (error) => {
    if (violatedConstraint(error) === 'cash_transfers_one_reversal') fail('already_reversed');
    throw error;
  });
  const shown = await readTransfer(db, id);
  const { transfer_no, amount, currency, day, from_place, to_place } = shown;
  const action = columns.reverses_id === null ? 'cash_transfer.created' : 'cash_transfer.reversed';
  await audit(db, actor, action, columns.reverses_id ?? id, {
    accountId: account.id,
    after: { transfer_no, amount, currency, day, from_place, to_place, reason: shown.reversal_reason ?? undefined },
  });
  return shown;
}

export const REVERSE_TRANSFER_FIELDS = { reason: required(textField(500, { min: 3 })) } as const satisfies Fields;

interface Original extends Sides {
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly from_place: string;
  readonly to_place: string;
  readonly note: string | null;
  readonly reverses_id: string | null;
  readonly is_reversed: boolean;
}

/** The same amount the other way, on the day on which it is made. */
export async function reverseTransfer(
  work: Work,
  id: string,
  reason: string,
): Promise<{ reversed: CashTransfer; reversal: CashTransfer }> {
  const { db, today } = work;
  const one =
    await db.one<Original>(sql`select amount_minor, currency, from_place, from_branch_id, to_place, to_branch_id, note, reverses_id,
    exists (select from ${own('cash_transfers')} where reverses_id = ${id}) as is_reversed from ${own('cash_transfers')} where id = ${id}`);
  if (one.reverses_id !== null) fail('not_reversible');
  if (one.is_reversed) fail('already_reversed');
  await shareTills(work, [one.from_branch_id, one.to_branch_id], today);
  const reversal = await insertTransfer(work, {
    amount_minor: one.amount_minor,
    currency: one.currency,
    day: today,
    from_place: one.to_place,
    from_branch_id: one.to_branch_id,
    to_place: one.from_place,
    to_branch_id: one.from_branch_id,
    note: one.note,
    reverses_id: id,
    reversal_reason: reason,
  });
  return { reversed: await readTransfer(db, id), reversal };
}
