// Restructuring: open installments are reduced to their settled amount, and the rest is spread over new installments from a day
// on.
import { fail } from '../../kit/errors.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { type RestructuringPlan, restructure } from '../installments/restructuring.ts';
import type { Values } from '../records/fields.ts';
import { requireStorable } from '../records/stored-amount.ts';
import { insertInstallments, updateInstallments } from './installment.ts';
import { watchInstallments } from './installment-days.ts';
import { refuseInstallmentsWithNotes } from './note-reactions.ts';
import { cancelOpenPromise } from './promise-reactions.ts';
import { badField, type RESTRUCTURE_FIELDS, type StoredSale } from './sale.ts';
import { emitPlanEvent, emitSaleEvent, lockSaleWithInstallments, showSaleWithPlan } from './sale-money.ts';
import { refuseSchedule, toCustomInstallment } from './sale-terms.ts';
import { readSale, type SaleDetail } from './sale-view.ts';
import { logSale } from './sale-writes.ts';
import { refuseRestructuring } from './salesperson.ts';

type RestructureBody = Values<typeof RESTRUCTURE_FIELDS>;

export async function restructureSale(work: Work, id: string, body: RestructureBody): Promise<SaleDetail> {
  const { db, now, today } = work;
  refuseRestructuring(work);
  const { sale, installments, notes } = (await lockSaleWithInstallments(db, id)) ?? fail('not_found');
  if (sale.status === 'İptal') fail('sale_cancelled');
  if (sale.status === 'Tamamlandı') fail('sale_completed');
  const { add_finance_charge = 0n, from } = { ...body, from: body.from! };
  for (const grown of [sale.finance_charge_minor, sale.total_receivable_minor])
    requireStorable('restructure.add_finance_charge', grown + add_finance_charge);
  if (from < today) badField('restructure.from', 'out_of_range', 'from must not be before today', 'from bugünden önce olamaz');
  const plan = planOf(body);
  const last = await lastCollections(work, id);
  const done = restructure({ finance_charge: sale.finance_charge_minor, down_payment: sale.down_payment_minor }, installments, {
    from,
    today,
    plan,
    add_finance_charge,
    lastCollectedOn: (installment) => last.get(installment.id) ?? null,
  });
  if ('refused' in done)
    return done.refused === 'nothing_to_restructure' ? fail('nothing_to_restructure') : refuseSchedule(done, 'restructure.');
  refuseInstallmentsWithNotes(notes, done.cut);
  const [before, planBefore] = await showSaleWithPlan(work, id);
  updateInstallments(work, done.cut);
  watchInstallments(work, insertInstallments(work, sale, done.added));
  const period = 'installments' in plan ? null : plan.period;
  db.send(sql`update sales set finance_charge_minor = ${done.finance_charge}, down_payment_minor = ${done.down_payment}, period = ${period},
      restructured_at = ${now}, payment_type = 'Taksitli', updated_at = ${work.updatedAt()} where account_id = ${theAccount} and id = ${id}`);
  const [shown, shownPlan] = await showSaleWithPlan(work, id);
  emitSaleEvent(work, 'restructured', shown, before);
  emitPlanEvent(work, 'updated', shownPlan, planBefore);
  await cancelOpenPromise(
    work,
    id,
    done.cut.map((installment) => installment.id),
  );
  await work.consequences.saleRestructured(work, { id });
  logRestructuring(work, sale, body.reason!);
  return readSale(db, id, today);
}

const logRestructuring = (work: Work, sale: StoredSale, reason: string): void =>
  logSale(work, sale, {
    en: `Sale ${sale.sale_no} restructured: ${reason}`,
    tr: `${sale.sale_no} numaralı satış yeniden yapılandırıldı: ${reason}`,
  });

function planOf({ installment_count, installments, period, round_to }: RestructureBody): RestructuringPlan {
  if ((installment_count === undefined) === (installments === undefined))
    badField(
      'restructure.installment_count',
      'required',
      'Give installment_count or installments',
      'installment_count ya da installments verin',
    );
  if (installments !== undefined) {
    if (period !== undefined || round_to !== undefined)
      badField(
        'restructure.period',
        'not_allowed',
        'period and round_to go with installment_count',
        'period ve round_to yalnızca installment_count ile verilir',
      );
    return { installments: installments.map(toCustomInstallment) };
  }
  return { installment_count: installment_count!, period: period ?? 'Aylık', ...(round_to === undefined ? {} : { round_to }) };
}

/** The day of the latest payment or discount on each installment of a sale. */
export async function lastCollections({ db }: Work, saleId: string): Promise<ReadonlyMap<string, string>> {
  const found = await db.rows<{ installment_id: string; day: string }>(sql`select installment_id, max(collected_on) as day
    from ${own('collection_allocations')} join ${own('collections')} on collections.id = collection_id
    where sale_id = ${saleId} and type <> 'Ters Kayıt' and status = 'Geçerli' group by installment_id`);
  return new Map(found.map(({ installment_id, day }) => [installment_id, day]));
}
