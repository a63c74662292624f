// Editing a sale: remarks and paperwork at any time, people until it is cancelled, terms only until a payment, a note or a
// signature fixes them.
import { fail } from '../../kit/errors.ts';
import { own, rawSql, type Sql, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import type { PlanInstallment } from '../installments/plan-installment.ts';
import type { PlanInput } from '../installments/plan-schedule.ts';
import { paymentType, saleStatus, totalReceivable } from '../installments/totals.ts';
import { type Columns, changedColumns, updateStamped } from '../records/record.ts';
import { lockVehicle, type StoredVehicle } from '../stock/vehicle.ts';
import { changesOf, recordHistory } from '../stock/vehicle-history.ts';
import { insertInstallments, type StoredInstallment } from './installment.ts';
import { watchInstallments } from './installment-days.ts';
import {
  badField,
  lockSale,
  PLAN_FIELDS,
  type PlanValues,
  readDealer,
  refuseSaleConflict,
  requirePeople,
  type SaleEdit,
  type StoredSale,
  TERM_NAMES,
} from './sale.ts';
import { withoutClosedFields } from './sale-closed-fields.ts';
import {
  emitPlanEvent,
  emitSaleEvent,
  followCompletionByTerms,
  lockSaleWithInstallments,
  showSaleWithPlan,
} from './sale-money.ts';
import { restructureSale } from './sale-restructure.ts';
import { priceTerms, type RequestedPlan, readPlan, toCustomInstallment } from './sale-terms.ts';
import { readSale, type SaleDetail } from './sale-view.ts';
import { priceColumns, refuseCurrency, requireDelivery } from './sale-writes.ts';
import { refuseClaim } from './salesperson.ts';

export async function editSale(work: Work, id: string, body: SaleEdit): Promise<SaleDetail> {
  const { db, today } = work;
  const { restructure, ...rest } = body;
  if (restructure !== undefined) {
    const [other] = Object.keys(rest);
    if (other !== undefined)
      badField(
        other,
        'not_allowed',
        'restructure cannot be combined with other fields',
        'restructure ile birlikte başka alan verilmez',
      );
    return restructureSale(work, id, restructure);
  }
  const tradeIn = body.trade_in_amount === undefined ? null : await lockTradeIn(work, id);
  const locked = (await lockSaleWithInstallments(db, id)) ?? fail('not_found');
  const { sale, installments } = locked;
  const edit = await withoutClosedFields(work, locked, rest);
  await refuseClaim(work, sale, edit.salesperson_id);
  await requireExemption(work, sale, edit);
  if (edit.guarantor_ids !== undefined || edit.salesperson_id || edit.branch_id)
    await requirePeople(work, sale.customer_id, edit);
  const [before, planBefore] = await showSaleWithPlan(work, id);
  const columns = { ...plainColumns(edit), ...paperColumns(work, sale, edit) };
  const changedTerms = TERM_NAMES.some((name) => edit[name] !== undefined) ? newTerms(sale, installments, edit) : null;
  const terms = changedTerms !== null && isOtherPlan(sale, installments, edit, changedTerms) ? changedTerms : null;
  const changed = changedColumns(sale, { ...columns, ...terms?.columns });
  const isSame = sameIds(sale.guarantor_ids, edit.guarantor_ids);
  if (isSame) delete (changed as Record<string, unknown>).guarantor_ids;
  if (Object.keys(changed).length === 0 && terms === null) return before;
  const delivery = edit.delivery_due_on === undefined ? sale.delivery_due_on : edit.delivery_due_on;
  requireDelivery(delivery, terms?.sale_date ?? sale.sale_date);
  await update(work, id, changed);
  if (terms !== null) {
    rebuild(work, sale, installments, terms.installments);
    watchInstallments(work, terms.installments);
  }
  const [shown, plan] = await showSaleWithPlan(work, id);
  emitSaleEvent(work, 'updated', shown, before);
  if (terms !== null) emitPlanEvent(work, 'updated', plan, planBefore);
  if (sale.status === 'Aktif' && shown.status === 'Tamamlandı') await followCompletionByTerms(work, (await lockSale(db, id))!);
  if (tradeIn !== null && terms !== null) await repriceTradeIn(work, tradeIn, sale, edit.trade_in_amount!);
  if (terms !== null) await work.consequences.saleTermsChanged(work, { id });
  return readSale(db, id, today);
}

/** Cars are locked before sales. */
async function lockTradeIn({ db }: Work, saleId: string): Promise<StoredVehicle | null> {
  const [sale] = await db.rows<{ id: string | null }>(
    sql`select trade_in_vehicle_id as id from ${own('sales')} where id = ${saleId}`,
  );
  return sale?.id ? lockVehicle(db, sale.id) : null;
}

/** The traded-in car's cost follows its trade-in value. */
async function repriceTradeIn(work: Work, vehicle: StoredVehicle, { currency }: StoredSale, amount: bigint): Promise<void> {
  const columns = changedColumns(vehicle, { purchase_price_minor: amount, purchase_currency: currency });
  if (Object.keys(columns).length === 0) return;
  recordHistory(work, vehicle.id, 'updated', changesOf(vehicle, columns));
  await updateStamped(work, 'vehicles', vehicle.id, columns);
}

const sameIds = (stored: readonly string[], ids: readonly string[] | undefined): boolean =>
  ids === undefined || (ids.length === stored.length && ids.every((id, index) => id === stored[index]));

async function requireExemption(work: Work, sale: StoredSale, { currency_exemption }: SaleEdit): Promise<void> {
  if (currency_exemption === undefined || currency_exemption || sale.currency === 'TL') return;
  const { country } = await readDealer(work.db);
  if (country === 'TR') refuseCurrency();
}

const PLAIN = [
  'notes',
  'external_ref',
  'secure_payment_ref',
  'legal_stage',
  'salesperson_id',
  'branch_id',
  'delivered_at',
  'guarantor_ids',
  'currency_exemption',
  'delivery_due_on',
] as const;

function plainColumns(edit: SaleEdit): Columns {
  const entries = PLAIN.filter((name) => edit[name] !== undefined).map((name) => [name, edit[name]] as const);
  const rate =
    edit.late_rate_yearly === undefined
      ? {}
      : { late_rate_yearly_minor: edit.late_rate_yearly === null ? null : Number(edit.late_rate_yearly) };
  return { ...Object.fromEntries(entries), ...rate };
}

/** Objects whose keys merge. A completed title transfer has a day; a pending one has none. */
function paperColumns({ today }: Work, sale: StoredSale, { title_transfer, lien, invoice }: SaleEdit): Columns {
  const prefixed = (prefix: string, values: object | undefined): Columns =>
    Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [`${prefix}_${name}`, value]));
  const columns: Record<string, unknown> = {
    ...prefixed('title', title_transfer),
    ...prefixed('lien', lien),
    ...prefixed('invoice', invoice),
  };
  const status = columns.title_status ?? sale.title_status;
  if (status === 'Bekliyor' && columns.title_on)
    badField(
      'title_transfer.on',
      'not_allowed',
      'on is allowed only with the status «Yapıldı»',
      'on yalnızca «Yapıldı» ile verilir',
    );
  if (columns.title_status === 'Bekliyor') columns.title_on = null;
  if (columns.title_status === 'Yapıldı' && !columns.title_on && sale.title_on === null) columns.title_on = today;
  const placed = 'lien_placed_on' in columns ? columns.lien_placed_on : sale.lien_placed_on;
  const removed = 'lien_removed_on' in columns ? columns.lien_removed_on : sale.lien_removed_on;
  if (removed && (!placed || (removed as string) < (placed as string)))
    badField(
      'lien.removed_on',
      'out_of_range',
      'removed_on requires placed_on and must not be before it',
      'Rehin, konulduktan sonra kalkar',
    );
  return columns;
}

/** The given values may equal the stored ones. Installments that were changed by hand stay, unless a term changes. */
function isOtherPlan(
  sale: StoredSale,
  installments: readonly StoredInstallment[],
  edit: SaleEdit,
  { columns, installments: planned }: NewTerms,
): boolean {
  const { yearly_rate_minor: _, ...compared } = columns;
  if (Object.keys(changedColumns(sale, compared)).length > 0) return true;
  const isPlanGiven = Object.keys(PLAN_FIELDS).some((name) => edit[name as keyof PlanValues] !== undefined);
  const toText = (some: readonly PlanInstallment[]) =>
    some.map(({ seq, kind, due_date, amount }) => [seq, kind, due_date, amount].join());
  return isPlanGiven && toText(installments).join(' ') !== toText(planned).join(' ');
}

interface NewTerms {
  readonly columns: Columns;
  readonly installments: ReturnType<typeof priceTerms>['installments'];
  readonly sale_date: string;
}

/** Given fields replace, the others stay. */
function newTerms(sale: StoredSale, installments: readonly StoredInstallment[], edit: SaleEdit): NewTerms {
  const sale_date = edit.sale_date ?? sale.sale_date;
  const base = {
    sale_price: edit.sale_price ?? sale.sale_price_minor,
    trade_in_amount: edit.trade_in_amount ?? sale.trade_in_amount_minor,
    finance_charge: edit.finance_charge ?? sale.finance_charge_minor,
  };
  const { plan, requested } = mergedPlan(sale, installments, edit, sale_date);
  const total = totalReceivable({ ...base, down_payment: 0n });
  // A cash sale stays a cash sale: the amount paid at once follows the price unless it is given.
  const kept = plan === null && edit.down_payment === undefined ? total : sale.down_payment_minor;
  const terms = { ...base, down_payment: edit.down_payment ?? kept };
  const priced = priceTerms({ ...terms, sale_date, plan }, { tradeIn: 'trade_in_amount', total: grownBy(edit) });
  const columns = {
    ...priceColumns(terms),
    ...requested,
    sale_date,
    yearly_rate_minor: priced.yearly_rate === null ? null : Number(priced.yearly_rate),
    payment_type: paymentType(priced.installments),
    status: saleStatus('Aktif', totalReceivable(terms)),
  };
  return { columns, installments: priced.installments, sale_date };
}

/** The field that made the total larger. */
const grownBy = (edit: SaleEdit): string =>
  (['finance_charge', 'sale_price'] as const).find((name) => edit[name] !== undefined) ?? 'trade_in_amount';

/** A count replaces custom installments and the reverse; a given first due date stays, a default one follows the sale. */
function mergedPlan(
  sale: StoredSale,
  current: readonly StoredInstallment[],
  edit: SaleEdit,
  saleDate: string,
): { plan: PlanInput | null; requested: RequestedPlan } {
  const { installment_count, installments, first_due_date, period, round_to } = edit;
  const financed = current.filter(({ seq }) => seq > 0);
  const isSplit = sale.period !== null;
  const names = Object.keys(PLAN_FIELDS).filter((name) => edit[name as keyof PlanValues] !== undefined);
  const defined: PlanValues = Object.fromEntries(names.map((name) => [name, edit[name as keyof PlanValues]]));
  if (installments !== undefined || (!isSplit && installment_count !== undefined)) return readPlan(defined, saleDate);
  if (isSplit)
    return readPlan(
      {
        installment_count: installment_count ?? financed.length,
        period: period ?? sale.period!,
        ...firstDue(sale, financed, first_due_date),
        ...((round_to ?? sale.round_to) ? { round_to: round_to ?? sale.round_to! } : {}),
      },
      saleDate,
    );
  if (first_due_date !== undefined || period !== undefined || round_to !== undefined) return readPlan(defined, saleDate);
  const requested = { period: null, round_to: null, is_first_due_given: false };
  if (financed.length === 0) return { plan: null, requested };
  return {
    requested,
    plan: {
      installments: financed.map(({ due_date, amount, kind }) =>
        toCustomInstallment({ due_date, amount, kind: kind as 'Taksit' }),
      ),
    },
  };
}

function firstDue(
  sale: StoredSale,
  financed: readonly StoredInstallment[],
  requested: string | undefined,
): { first_due_date?: string } {
  if (requested !== undefined) return { first_due_date: requested };
  return sale.is_first_due_given ? { first_due_date: financed[0]!.original_due_date } : {};
}

async function update({ db, updatedAt }: Work, id: string, columns: Columns): Promise<void> {
  const set = Object.entries(columns).reduce<Sql>(
    (all, [column, value]) => sql`${all}, ${rawSql(`"${column}"`)} = ${value}`,
    sql`updated_at = ${updatedAt()}`,
  );
  await db.exec(sql`update sales set ${set} where account_id = ${theAccount} and id = ${id}`).catch(refuseSaleConflict);
}

/** Nothing is paid on them yet. Installments keep their ids as far as possible; references to the others are cleared. */
function rebuild(work: Work, sale: StoredSale, before: readonly StoredInstallment[], after: NewTerms['installments']): void {
  const { db, today, updatedAt } = work;
  const bySeq = new Map(before.map((installment) => [installment.seq, installment]));
  const kept = after.filter(({ seq }) => bySeq.has(seq));
  const gone = before.filter(({ seq }) => !after.some((installment) => installment.seq === seq)).map(({ id }) => id);
  for (const installment of kept)
    db.send(sql`update installments set amount_minor = ${installment.amount}, kind = ${installment.kind}, due_date = ${installment.due_date}, original_due_date = ${installment.due_date},
        due_day = ${installment.due_day}, postpone_count = 0, is_due_soon_told = ${installment.due_date <= today}, is_overdue_told = false, updated_at = ${updatedAt()}
      where account_id = ${theAccount} and id = ${bySeq.get(installment.seq)!.id}`);
  if (gone.length > 0) {
    db.send(
      sql`update payment_promises set installment_id = null, updated_at = ${updatedAt()} where account_id = ${theAccount} and installment_id = any(${gone}::uuid[])`,
    );
    db.send(
      sql`update tasks set installment_id = null, updated_at = ${updatedAt()} where account_id = ${theAccount} and installment_id = any(${gone}::uuid[])`,
    );
    db.send(sql`delete from installments where account_id = ${theAccount} and id = any(${gone}::uuid[])`);
  }
  insertInstallments(
    work,
    sale,
    after.filter(({ seq }) => !bySeq.has(seq)),
  );
}
