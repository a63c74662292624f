// Amounts in Turkish notation.
const TURKISH = new Intl.NumberFormat('tr-TR', { minimumFractionDigits: 2 });

/** `11500.00` in Turkish notation: `11.500,00`. The text is formatted digit for digit. */
export const turkishMoney = (amount: string): string => TURKISH.format(amount as `${number}`);
