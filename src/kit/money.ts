// Money is bigint minor units beside a currency; decimal text exists only at the edges.

export const CURRENCIES = ['TL', 'STG', 'USD', 'EUR'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** Banks and feeds use TRY and GBP; the API uses TL and STG. */
export function currencyFromFeed(code: string): string {
  return code === 'TRY' ? 'TL' : code === 'GBP' ? 'STG' : code;
}

/** Twelve digits before the decimal point, for given and stored amounts. */
export const MAX_AMOUNT = 99_999_999_999_999n;

const AMOUNT = /^(\d{1,12})(?:\.(\d{1,2}))?$/;

/** '941.6' or 941.6 → 94160n; null if it is not an amount of at most 12 + 2 digits. */
export function parseMoney(value: string | number): bigint | null {
  const match = AMOUNT.exec(typeof value === 'number' ? String(value) : value);
  if (!match) return null;
  return BigInt(match[1]!) * 100n + BigInt((match[2] ?? '').padEnd(2, '0'));
}

export function formatMoney(minor: bigint): string {
  const sign = minor < 0n ? '-' : '';
  const digits = (minor < 0n ? -minor : minor).toString().padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

/** Math.min and Math.max do not take bigints. */
export const smallerOf = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const largerOf = (a: bigint, b: bigint): bigint => (a > b ? a : b);
