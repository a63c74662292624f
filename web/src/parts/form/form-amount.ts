// Converts typed amounts and numbers to the form that the API expects.

/**
 * A typed amount as a plain decimal, or undefined: 1.250.000 and 1250000 are the same, 1500,50 and 1500.50 too.
 */
export function amountOf(typed: string): string | undefined {
  const bare = typed.replace(/[\s\u00a0₺£$€]/g, '');
  const grouped = /^\d{1,3}(\.\d{3})+(,\d{1,2})?$/.test(bare) || /^\d+,\d{1,2}$/.test(bare);
  const english = /^\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(bare);
  const plain = grouped ? bare.replaceAll('.', '').replace(',', '.') : english ? bare.replaceAll(',', '') : bare;
  return /^\d{1,12}(\.\d{1,2})?$/.test(plain) ? plain : undefined;
}

/** An unreadable amount is sent as it is, and the server's error is shown at the field. */
export const amountToSend = (typed: string): string => amountOf(typed) ?? typed;

/** 84.000 and 84 000 are 84000. */
export function wholeToSend(typed: string): number | string {
  const bare = typed.replace(/[\s\u00a0]/g, '');
  const plain = /^\d{1,3}([.,]\d{3})+$/.test(bare) ? bare.replace(/[.,]/g, '') : bare;
  return /^\d{1,9}$/.test(plain) ? Number(plain) : typed;
}
