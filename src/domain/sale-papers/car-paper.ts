// The data of papers about a car on offer. Nothing is stored: a sheet and an offer are drawn when they are opened.
import type { Db } from '../../kit/db.ts';
import { fail, type Locale } from '../../kit/errors.ts';
import type { Currency } from '../../kit/money.ts';
import { own, sql } from '../../kit/sql.ts';
import { defaultFirstDueDate, dueDates, splitAmount } from '../installments/plan-schedule.ts';
import type { CarOffer, OfferedCar, WindowSticker } from '../papers/paper.ts';
import { readPaperBase } from '../papers/paper-account.ts';
import { amount } from '../papers/paper-words.ts';

interface StoredCar extends Omit<OfferedCar, 'condition' | 'equipment'> {
  readonly condition: string | null;
  readonly equipment: string | null;
}

interface StoredCondition {
  readonly painted?: readonly string[];
  readonly locally_painted?: readonly string[];
  readonly replaced?: readonly string[];
  readonly tramer_amount?: string | number | null;
  readonly tramer_currency?: Currency | null;
}

async function readCar(db: Db, id: string): Promise<OfferedCar> {
  const [car] =
    await db.rows<StoredCar>(sql`select brand, model, "trim", model_year, km, fuel_type, transmission, body_type, color,
      price_minor as price, currency, engine_cc, power_hp, drive, steering, doors, seats, owners, inspection_until::text, warranty,
      equipment, condition
    from ${own('vehicles')} where id = ${id} and deleted_at is null`);
  if (car === undefined) return fail('not_found');
  return { ...car, equipment: listOf(car.equipment), condition: conditionOf(car.condition) };
}

const listOf = (stored: string | null): string[] => (stored === null ? [] : JSON.parse(stored));

function conditionOf(stored: string | null): OfferedCar['condition'] {
  if (stored === null) return null;
  const { tramer_amount = null, tramer_currency, ...parts } = JSON.parse(stored) as StoredCondition;
  const { painted = [], locally_painted = [], replaced = [] } = parts;
  const minor = tramer_amount === null ? null : BigInt(Math.round(Number(tramer_amount) * 100));
  return { painted, locally_painted, replaced, tramer: minor === null ? null : amount(minor, tramer_currency ?? 'TL') };
}

/** A message to the dealer that names the car. Null without a telephone. */
function contactUrl(phone: string | null, { brand, model, model_year }: OfferedCar): string | null {
  if (phone === null) return null;
  return `https://wa.me/${phone.replace(/\D/g, '')}?text=${encodeURIComponent(`${brand} ${model} ${model_year}`)}`;
}

interface When {
  readonly created_at: Date;
  readonly day: string;
}

export async function readSticker(
  db: Db,
  id: string,
  { size, words, ...when }: When & { readonly size: WindowSticker['size']; readonly words: Locale },
): Promise<WindowSticker> {
  const car = await readCar(db, id);
  const base = await readPaperBase(db, 'vitrin_etiketi', when);
  return { ...base, code: 'vitrin_etiketi', size, words, car, contact_url: contactUrl(base.head.phone, car) };
}

export interface OfferTerms {
  /** Default: the car's price. */
  readonly price: bigint | undefined;
  readonly down_payment: bigint;
  readonly finance_charge: bigint;
  /** 0: cash. */
  readonly installment_count: number;
  readonly first_due_date: string | undefined;
  readonly valid_until: string;
  readonly customer: string | undefined;
  readonly words: Locale;
}

export async function readOffer(db: Db, id: string, terms: OfferTerms, when: When): Promise<CarOffer> {
  const { down_payment, finance_charge, installment_count: count, valid_until, words, customer = null } = terms;
  if (valid_until < when.day) refuse('valid_until', { en: `a date from ${when.day}`, tr: `${when.day} ya da sonrası` });
  const car = await readCar(db, id);
  const price = terms.price ?? car.price;
  const financed = price + finance_charge - down_payment;
  const first = terms.first_due_date ?? defaultFirstDueDate(when.day, 'Aylık');
  const parts = count === 0 ? [] : financed <= 0n ? null : splitAmount(financed, count);
  if (parts === null) return refuse('down_payment', { en: 'less than the price', tr: 'fiyattan az bir tutar' });
  const days = dueDates(first, count, 'Aylık');
  const base = await readPaperBase(db, 'teklif', when);
  return {
    ...base,
    code: 'teklif',
    words,
    car,
    customer,
    price,
    down_payment,
    finance_charge,
    rows: parts.map((part, index) => ({ due_date: days[index]!, amount: part })),
    valid_until,
    contact_url: contactUrl(base.head.phone, car),
  };
}

const refuse = (param: string, allowed: { readonly en: string; readonly tr: string }): never =>
  fail('invalid_parameter', { param, words: { allowed } });
