// Posting a payment or a discount: the installments it fills, its exchange rate, and the check that it is not too much.
import { allAnswers, type Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { sum } from '../../kit/money.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { appliedAmount } from '../exchange-rates/applied-rate.ts';
import { paymentRate } from '../exchange-rates/payment-rate.ts';
import { acceptedAmount, allocate, payableInstallments } from '../installments/allocation.ts';
import { amountWords } from '../installments/money-words.ts';
import { remainingOf } from '../installments/plan-installment.ts';
import { COLLECTION_METHODS, DISCOUNT_REASONS, MAX_INSTALLMENTS } from '../installments/sales-states.ts';
import type { CreateBody } from '../records/body.ts';
import {
  currencyField,
  dayField,
  type Fields,
  listField,
  moneyField,
  nullable,
  objectField,
  oneOfField,
  rateField,
  required,
  textField,
  uuidField,
  withDefault,
} from '../records/fields.ts';
import { nextNumbers } from '../records/number-series.ts';
import type { Collection, NewCollection } from './collection.ts';
import type { StoredInstallment } from './installment.ts';
import { refuseNotesElsewhere } from './note-reactions.ts';
import { lockSalePromises } from './promise-reactions.ts';
import { badField, type StoredSale, unknownReference } from './sale.ts';
import { announcePosted, lockSaleWithInstallments, type Posting, postMoney } from './sale-money.ts';
import { requireOwnSale } from './salesperson.ts';
import { requireOpenDay, shareTillOf, type Till } from './till.ts';

export const INSTRUMENT_FIELD = objectField({
  bank: required(textField(80)),
  number: required(textField(40)),
  due_on: required(dayField()),
});

export const COLLECTION_FIELDS = {
  sale_id: required(uuidField),
  amount: required(moneyField()),
  currency: required(currencyField),
  method: withDefault(oneOfField(COLLECTION_METHODS), '`Nakit`'),
  instrument: nullable(INSTRUMENT_FIELD),
  collected_on: withDefault(dayField({ past: true }), 'today', 'bugün'),
  exchange_rate: rateField,
  installment_ids: listField(uuidField, 2 * MAX_INSTALLMENTS, 1),
  late_interest_amount: withDefault(moneyField(), '`0.00`'),
  discount_amount: moneyField({ above: 0n }),
  discount_reason: oneOfField(DISCOUNT_REASONS),
  reference: nullable(textField(200)),
  branch_id: withDefault(
    nullable(uuidField),
    "the collector's, else the sale's, else the main branch",
    'tahsil edenin, yoksa satışın, yoksa merkez şube',
  ),
  collected_by_id: nullable(uuidField),
  note: nullable(textField(2000, { lines: true })),
} as const satisfies Fields;
type CollectBody = CreateBody<typeof COLLECTION_FIELDS>;

/** Returns the payment, or the discount if nothing was paid. `receipt`: its number from another system. */
export const collect = async (work: Work, body: CollectBody, receipt?: string): Promise<Collection> =>
  (await collectAll(work, body, receipt))[0]!;

/** The payment and its discount. */
export async function collectAll(work: Work, body: CollectBody, receipt?: string): Promise<readonly Collection[]> {
  const { db } = work;
  const [locked, collector, till, promises, numbers] = await allAnswers([
    lockSaleWithInstallments(db, body.sale_id),
    body.collected_by_id ? lockCollector(db, body.collected_by_id) : Promise.resolve(true),
    tillOf(db, body),
    lockSalePromises(db, body.sale_id),
    nextNumbers(work, 'T', body.amount > 0n && body.discount_amount ? 2 : 1),
  ]);
  const { sale, installments, notes } = locked ?? unknownReference('sale_id');
  if (!collector) unknownReference('collected_by_id');
  if (till === null) return unknownReference('branch_id');
  if (sale.status === 'İptal') fail('sale_cancelled');
  if (sale.status === 'Tamamlandı') fail('sale_completed');
  requireForm(body, sale);
  await requireOwnSale(work, sale, body);
  const posting = await price(work, body, sale, installments, till);
  refuseNotesElsewhere(notes, touchedBy(posting, installments), body.method);
  const [first, ...others] = posting.collections;
  const collections = receipt === undefined ? posting.collections : [{ ...first!, receipt_no: receipt }, ...others];
  const posted = await postMoney(work, { sale, installments, notes }, { ...posting, collections }, numbers);
  await announcePosted(work, posted, promises);
  return posted.collections;
}

const touchedBy = ({ money, discount }: Posting, installments: readonly StoredInstallment[]): StoredInstallment[] => {
  const seqs = new Set([...money, ...discount].map(({ seq }) => seq));
  return installments.filter(({ seq }) => seqs.has(seq));
};

const lockCollector = async (db: Db, id: string): Promise<boolean> =>
  (await db.rows(sql`select id from ${own('members')} where id = ${id} and active for key share`)).length > 0;

/** The given branch, else the collector's, else the sale's, else the main branch. */
const tillOf = (db: Db, { sale_id, branch_id, collected_by_id }: CollectBody): Promise<Till | null> =>
  shareTillOf(
    db,
    sql`coalesce(${branch_id ?? null}::uuid, (select branch_id from ${own('members')} where id = ${collected_by_id ?? null}::uuid),
      (select branch_id from ${own('sales')} where id = ${sale_id}))`,
  );

/** Combinations of fields that are always invalid. */
function requireForm(body: CollectBody, sale: StoredSale): void {
  const {
    amount,
    currency,
    method,
    instrument,
    collected_on,
    late_interest_amount = 0n,
    discount_amount,
    discount_reason,
    installment_ids,
  } = body;
  if (collected_on !== undefined && collected_on < sale.sale_date)
    badField('collected_on', 'out_of_range', 'collected_on must not be before the sale date', 'collected_on satıştan önce');
  if (discount_amount !== undefined && discount_reason === undefined)
    badField(
      'discount_reason',
      'required',
      'discount_reason is required with discount_amount',
      'discount_amount ile birlikte discount_reason zorunludur',
    );
  if (discount_amount === undefined && discount_reason !== undefined)
    badField(
      'discount_amount',
      'required',
      'discount_amount is required with discount_reason',
      'discount_reason ile birlikte discount_amount zorunludur',
    );
  if (amount === 0n && discount_amount === undefined)
    badField(
      'amount',
      'out_of_range',
      'amount must be above zero unless a discount is given',
      'İndirim yoksa amount sıfırdan büyük olmalı',
    );
  if (amount === 0n && currency !== sale.currency) fail('currency_mismatch', { details: [MISMATCH] });
  if (late_interest_amount > amount)
    badField(
      'late_interest_amount',
      'out_of_range',
      'late_interest_amount must not exceed amount',
      'late_interest_amount, amount içinden alınır',
    );
  if (instrument && method !== 'Çek')
    badField('instrument', 'not_allowed', 'instrument goes with the method «Çek»', 'instrument yalnızca «Çek» ile verilir');
  if (installment_ids !== undefined && new Set(installment_ids).size < installment_ids.length)
    badField(
      'installment_ids',
      'not_allowed',
      'installment_ids must name each installment once',
      'installment_ids her taksiti bir kez içermeli',
    );
}

const MISMATCH = {
  field: 'currency',
  code: 'currency_mismatch',
  message: {
    en: 'A discount without a payment must be in the currency of the sale',
    tr: 'Tahsilatsız indirim, satışın para biriminde olmalı',
  },
};

/** Checked in this order: installments, the till, the rate, the balance. */
async function price(
  work: Work,
  body: CollectBody,
  sale: StoredSale,
  installments: readonly StoredInstallment[],
  till: Till,
): Promise<Posting> {
  const {
    amount,
    currency,
    discount_amount: discount = 0n,
    discount_reason: reason = null,
    late_interest_amount: late = 0n,
  } = body;
  const on = body.collected_on ?? work.today;
  const payable = chosenInstallments(installments, body.installment_ids);
  if (amount > 0n) requireOpenDay(till, on);
  const rate = await paymentRate(work.db, { debt: sale.currency, paid: currency, day: on, agreed: body.exchange_rate });
  const worth = appliedAmount(amount - late, currency, sale.currency, rate?.rate ?? null);
  if (amount > late && worth === 0n)
    badField(
      'amount',
      'out_of_range',
      'The amount without late interest is too small: it converts to 0.00 in the currency of the sale',
      'Bu tutar borcun 0,00’ına denk geliyor',
    );
  const balance = sum(payable.map(remainingOf));
  const applied = acceptedAmount(worth, discount, balance, { currenciesDiffer: rate !== null });
  if (applied === null) return fail('amount_exceeds_balance', { words: { outstanding: amountWords(balance) } });
  const { money, discount: forgiven } = allocate(payable, { money: applied, discount, reason })!;
  const both = {
    sale: { id: sale.id, currency: sale.currency },
    customer_id: sale.customer_id,
    branch_id: till.branch_id,
    collected_on: on,
    collected_by_id: body.collected_by_id ?? null,
    note: body.note ?? null,
    reference: body.reference ?? null,
  };
  const paid: NewCollection = {
    ...both,
    type: 'Tahsilat',
    amount,
    currency,
    applied,
    late_interest: late,
    rate,
    method: body.method ?? 'Nakit',
    instrument: instrumentOf(body),
    allocations: money,
  };
  const waived: NewCollection = {
    ...both,
    type: 'İndirim',
    amount: discount,
    currency: sale.currency,
    applied: discount,
    method: null,
    discount_reason: reason,
    allocations: forgiven,
    isDiscount: true,
  };
  return { collections: [...(amount > 0n ? [paid] : []), ...(discount > 0n ? [waived] : [])], money, discount: forgiven, on };
}

const instrumentOf = ({ instrument }: CollectBody) =>
  instrument ? { bank: instrument.bank!, number: instrument.number!, due_on: instrument.due_on! } : null;

function chosenInstallments(
  installments: readonly StoredInstallment[],
  ids: readonly string[] | undefined,
): readonly StoredInstallment[] {
  const seqs = ids?.map(
    (id) =>
      installments.find((installment) => installment.id === id)?.seq ??
      fail('installment_not_of_sale', { details: [NOT_OF_SALE] }),
  );
  const payable = payableInstallments(installments, seqs ?? null);
  return 'refused' in payable ? fail(payable.refused) : payable.installments;
}

const NOT_OF_SALE = {
  field: 'installment_ids',
  code: 'installment_not_of_sale',
  message: { en: 'The installment must belong to this sale', tr: 'Taksit bu satışın taksitlerinden biri olmalı' },
};
