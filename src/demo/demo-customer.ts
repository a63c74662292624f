// One customer of the demonstration. E-mail addresses end in example.com, so that no real person gets a mail by mistake.

import { newCustomer, type StoredCustomer } from '../domain/customers/customer.ts';
import { foldName } from '../domain/records/person-fields.ts';
import type { SealingKeys } from '../kit/work.ts';
import type { DemoDealer } from './demo-dealer.ts';
import { idOf, laterMoment, pastMoment, type Random, randomOf, scattered } from './demo-random.ts';
import { COMPANY_TRADES, CUSTOMER_NOTES, DEMO_CITIES, FIRST_NAMES, LAST_NAMES } from './demo-words.ts';

export function newDemoCustomer(dealer: DemoDealer, keys: SealingKeys, number: number, now: Date): StoredCustomer {
  const random = randomOf('customer', dealer.index, number);
  const [first_name, last_name] = [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)];
  const known = random.chance(0.6);
  const values = {
    first_name,
    last_name,
    phone: phoneOf(random, dealer),
    email: random.chance(0.65) ? `${asciiOf(first_name)}.${asciiOf(last_name)}${number}@example.com` : null,
    risk_level: riskOf(random),
    note: random.chance(0.2) ? random.pick(CUSTOMER_NOTES) : null,
    ...(known ? personalDetails(random, dealer, number) : {}),
    ...companyOf(dealer, number, last_name),
  } as const;
  const created_at = pastMoment(random, now);
  return newCustomer(keys, values, {
    id: idOf('customer', dealer.scope, number),
    now: laterMoment(random, created_at, now),
    created_at,
  });
}

/** A name, the same for the same words. */
export function newDemoPerson(...of: string[]): string {
  const random = randomOf('person', ...of);
  return `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
}

const asciiOf = (name: string): string => foldName(name).replace(/[^a-z]/g, '');

/** Mobile numbers of the two networks of Northern Cyprus, and of Turkey's. */
function phoneOf(random: Random, { country }: DemoDealer): string {
  const prefix =
    country === 'KKTC'
      ? random.pick(['533', '542', '548'])
      : `5${random.pick(['30', '32', '35', '41', '42', '43', '05', '06', '52'])}`;
  return `+90${prefix}${random.between(1_000_000, 9_999_999)}`;
}

function riskOf(random: Random) {
  const share = random.next();
  return share < 0.45 ? 'low' : share < 0.83 ? 'medium' : share < 0.96 ? 'high' : 'blocked';
}

function personalDetails(random: Random, { country, city, index }: DemoDealer, number: number) {
  const home = random.chance(0.8) ? city : random.pick(DEMO_CITIES[country]);
  const two = (number: number) => String(number).padStart(2, '0');
  return {
    id_no: country === 'TR' ? turkishIdNo(number, index) : String(1_000_000_000 + scattered(number, 8_999_999_000, index)),
    address: `${random.pick(home.streets)} No: ${random.between(1, 180)}\n${home.name}`,
    monthly_income: BigInt(random.between(35, 220)) * 100_000n,
    birth_date: `${random.between(1955, 2004)}-${two(random.between(1, 12))}-${two(random.between(1, 28))}`,
  };
}

/** One customer in twelve buys for a company. The choice has its own random sequence, so that the people do not change. */
function companyOf({ country, city, index }: DemoDealer, number: number, family: string) {
  const random = randomOf('company', index, number);
  if (!random.chance(1 / 12)) return {};
  return {
    kind: 'Kurumsal' as const,
    company_name: `${family} ${random.pick(COMPANY_TRADES)}`,
    tax_office: city.name,
    tax_no: String(
      country === 'TR' ? 1_000_000_000 + scattered(number, 8_999_999_000, index) : 100_000 + scattered(number, 899_999, index),
    ),
  };
}

/** Eleven digits; the last two are check digits. */
export function turkishIdNo(number: number, dealer: number): string {
  const digits = [...String(100_000_000 + scattered(number, 899_999_000, dealer))].map(Number);
  const sum = (from: number, step: number) =>
    digits.filter((_, index) => index >= from && (index - from) % step === 0).reduce((all, one) => all + one, 0);
  digits.push((sum(0, 2) * 7 - sum(1, 2) + 1000) % 10);
  digits.push(sum(0, 1) % 10);
  return digits.join('');
}
