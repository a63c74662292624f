// Reversing a collection: a second record with the exact negatives. Allocations of other collections do not change.
import { fail } from '../../kit/errors.ts';
import type { Currency } from '../../kit/money.ts';
import { object } from '../../kit/schema.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { logActivity } from '../customers/activity.ts';
import { parseRate } from '../exchange-rates/rates.ts';
import { type Allocation, reversed } from '../installments/allocation.ts';
import { type CollectionType, OFFSET_METHOD, REVERSAL_CODES } from '../installments/sales-states.ts';
import { voidVerifications } from '../papers/verification.ts';
import type { CreateBody } from '../records/body.ts';
import { dayField, type Fields, nullable, oneOfField, required, textField, withDefault } from '../records/fields.ts';
import { violatedConstraint } from '../records/record.ts';
import { Collection, emitCollectionEvent, insertCollections, type NewCollection, readCollections } from './collection.ts';
import { emitInstallmentEvent, type StoredInstallment } from './installment.ts';
import { emitNoteEvent } from './note.ts';
import { followMoney } from './promise-reactions.ts';
import { badField } from './sale.ts';
import { emitSaleEvent, lockSaleWithInstallments, type Posted, postMoney, showSaleWithPlan } from './sale-money.ts';
import { requireOpenDay, shareTill } from './till.ts';

export const REVERSE_FIELDS = {
  reason: required(textField(500, { min: 3 })),
  reason_code: nullable(oneOfField(REVERSAL_CODES)),
  reversed_on: withDefault(dayField({ past: true }), 'today', 'bugün'),
} as const satisfies Fields;
type ReverseCollectionBody = CreateBody<typeof REVERSE_FIELDS>;

export const Reversal = object({ reversed: Collection, reversal: Collection });

interface Original {
  readonly id: string;
  readonly type: CollectionType;
  readonly status: string;
  readonly sale_id: string | null;
  readonly customer_id: string;
  readonly branch_id: string;
  readonly amount_minor: bigint;
  readonly currency: Currency;
  readonly sale_currency: Currency | null;
  readonly applied_amount_minor: bigint | null;
  readonly late_interest_amount_minor: bigint;
  readonly rate_pair: string | null;
  readonly exchange_rate: string | null;
  readonly rate_date: string | null;
  readonly rate_source: string | null;
  readonly method: string | null;
  readonly reference: string | null;
  readonly collected_on: string;
  readonly collected_by_id: string | null;
  readonly paired_id: string | null;
  readonly reservation_id: string | null;
  readonly vehicle_id: string | null;
  readonly deposit_status: string | null;
}

/** The named collection first, then the other half of its pair. */
export async function reverseCollection(
  work: Work,
  id: string,
  body: ReverseCollectionBody,
): Promise<{ reversed: Collection; reversal: Collection }> {
  const { db, today } = work;
  const { sale_id } = await db.one<{ sale_id: string | null }>(sql`select sale_id from ${own('collections')} where id = ${id}`);
  const locked = sale_id === null ? null : await lockSaleWithInstallments(db, sale_id);
  const originals = await lockPair(work, id);
  const named = originals[0]!;
  requireReversible(named, locked?.sale.status === 'İptal');
  const on = body.reversed_on ?? today;
  if (on < named.collected_on)
    badField(
      'reversed_on',
      'out_of_range',
      'reversed_on must not be before the date of the collection',
      'reversed_on tahsilattan önce',
    );
  await requireOpenTill(work, originals, on);
  const parts = await allocationsOf(work, originals, locked?.installments ?? []);
  const reversals = originals.map((one, index) => reversalOf(one, body, on, parts[index]!));
  const posted = await post(work, locked, reversals, on).catch((error) => {
    if (violatedConstraint(error) === 'collections_one_reversal') fail('already_reversed');
    throw error;
  });
  const reversalIds = posted.collections.map((one) => one.id);
  markReversed(work, originals, reversalIds);
  await voidVerifications(
    work,
    originals.map(({ id: one }) => one),
  );
  return announce(work, originals, posted);
}

async function lockPair({ db }: Work, id: string): Promise<Original[]> {
  const found =
    await db.rows<Original>(sql`select id, type, status, sale_id, customer_id, branch_id, amount_minor, currency, sale_currency,
      applied_amount_minor, late_interest_amount_minor, rate_pair, exchange_rate::text as exchange_rate, rate_date, rate_source, method,
      reference, collected_on, collected_by_id, paired_id, reservation_id, vehicle_id, deposit_status
    from ${own('collections')} where id = ${id} or paired_id = ${id} order by id = ${id} desc for update`);
  return found;
}

const NEVER: readonly CollectionType[] = ['Mahsup', 'Ters Kayıt', 'İade'];

function requireReversible({ type, status, deposit_status }: Original, isCancelled: boolean): void {
  if (NEVER.includes(type)) fail('not_reversible');
  if (status === 'İptal Edildi') fail('already_reversed');
  if (isCancelled) fail('sale_cancelled');
  if (type === 'Kapora' && deposit_status !== 'Açık') fail('not_reversible');
}

/** Only money that was in the till is taken out of it again. */
async function requireOpenTill({ db }: Work, originals: readonly Original[], on: string): Promise<void> {
  for (const { branch_id, method } of originals) {
    const till = await shareTill(db, branch_id);
    if (method !== null && method !== OFFSET_METHOD) requireOpenDay(till, on);
  }
}

async function allocationsOf(
  { db }: Work,
  originals: readonly Original[],
  installments: readonly StoredInstallment[],
): Promise<Allocation[][]> {
  const seqOf = new Map(installments.map(({ id, seq }) => [id, seq]));
  const found = await db.rows<{ collection_id: string; installment_id: string; amount: bigint }>(sql`
    select collection_id, installment_id, amount_minor as amount from ${own('collection_allocations')}
    where collection_id = any(${originals.map(({ id }) => id)}::uuid[]) order by place`);
  return originals.map(({ id }) =>
    found
      .filter(({ collection_id }) => collection_id === id)
      .map(({ installment_id, amount }) => ({ seq: seqOf.get(installment_id)!, amount })),
  );
}

const reversalOf = (
  one: Original,
  { reason, reason_code = null }: ReverseCollectionBody,
  on: string,
  parts: readonly Allocation[],
): NewCollection => ({
  type: 'Ters Kayıt',
  sale: one.sale_id === null ? null : { id: one.sale_id, currency: one.sale_currency! },
  customer_id: one.customer_id,
  branch_id: one.branch_id,
  amount: -one.amount_minor,
  currency: one.currency,
  applied: one.applied_amount_minor === null ? null : -one.applied_amount_minor,
  late_interest: -one.late_interest_amount_minor,
  rate:
    one.exchange_rate === null
      ? null
      : { pair: one.rate_pair!, rate: parseRate(one.exchange_rate), day: one.rate_date!, source: one.rate_source! },
  method: one.method,
  reference: one.reference,
  collected_on: on,
  collected_by_id: one.collected_by_id,
  reservation_id: one.reservation_id,
  vehicle_id: one.vehicle_id,
  reverses_id: one.id,
  reversal_reason: reason,
  reason_code,
  allocations: reversed(parts),
  isDiscount: one.type === 'İndirim',
});

type Locked = Awaited<ReturnType<typeof lockSaleWithInstallments>>;

async function post(
  work: Work,
  locked: Locked,
  reversals: readonly NewCollection[],
  on: string,
): Promise<Pick<Posted, 'collections'> & Partial<Posted>> {
  if (locked === null) return { collections: await insertCollections(work, reversals, []) };
  const partsOf = (isDiscount: boolean) =>
    reversals.filter((one) => (one.isDiscount ?? false) === isDiscount).flatMap(({ allocations = [] }) => allocations);
  return postMoney(work, locked, { collections: reversals, money: partsOf(false), discount: partsOf(true), on });
}

/** A deposit that became the reversed payment is open again; a reversed deposit is closed. */
function markReversed({ db, updatedAt }: Work, originals: readonly Original[], ids: readonly string[]): void {
  originals.forEach(({ id, type, vehicle_id, reservation_id }, index) => {
    const deposit = type === 'Kapora' ? sql`, deposit_status = null` : sql``;
    db.send(
      sql`update collections set status = 'İptal Edildi', reversed_by_id = ${ids[index]}${deposit}, updated_at = ${updatedAt()} where account_id = ${theAccount} and id = ${id}`,
    );
    if (type === 'Mahsup')
      db.send(sql`update collections set deposit_status = 'Açık', deposit_closed_on = null, updated_at = ${updatedAt()}
        where account_id = ${theAccount} and type = 'Kapora'
        and status = 'Geçerli' and deposit_status = 'Mahsup Edildi' and vehicle_id = ${vehicle_id}
        and reservation_id = ${reservation_id}`);
  });
}

async function announce(work: Work, originals: readonly Original[], posted: Pick<Posted, 'collections'> & Partial<Posted>) {
  const shown = await readCollections(
    work.db,
    originals.map(({ id }) => id),
  );
  const of = (id: string) => shown.find((one) => one.id === id)!;
  for (const { id } of originals) emitCollectionEvent(work, 'reversed', of(id));
  const { sale, before } = posted;
  if (sale !== undefined) {
    for (const installment of posted.shownInstallments!) emitInstallmentEvent(work, 'reopened', installment);
    for (const note of posted.notes!.reopened) emitNoteEvent(work, 'status_changed', note);
    await followMoney(work, sale);
    if (before!.status === 'Tamamlandı' && sale.status === 'Aktif')
      emitSaleEvent(work, 'reopened', (await showSaleWithPlan(work, sale.id))[0]);
  }
  const result = { reversed: of(originals[0]!.id), reversal: posted.collections[0]! };
  const { receipt_no, customer_id, id } = result.reversed;
  const note = { en: `Reversed: ${receipt_no}`, tr: `Ters kayıt: ${receipt_no}` };
  logActivity(work, customer_id, { note, resource_type: 'collection', resource_id: id });
  return result;
}
