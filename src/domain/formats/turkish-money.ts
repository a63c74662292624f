// Amounts as Turkish writes them.
const TURKISH = new Intl.NumberFormat('tr-TR', { minimumFractionDigits: 2 });

/** `11500.00` as it is written in Turkish: `11.500,00`. Given as text, it is formatted digit for digit. */
export const turkishMoney = (amount: string): string => TURKISH.format(amount as `${number}`);
