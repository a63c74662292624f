// Amounts that the service computes and stores: a sum, a product, a conversion. Each has at most twelve digits before the decimal
// point, like every given amount; beyond that the responsible field is refused.
import { fail } from '../../kit/errors.ts';
import { formatMoney, MAX_AMOUNT } from '../../kit/money.ts';
import { writtenMoney } from '../formats/written.ts';

export function requireStorable(field: string, minor: bigint): void {
  if (minor <= MAX_AMOUNT && minor >= -MAX_AMOUNT) return;
  const most = writtenMoney(formatMoney(MAX_AMOUNT));
  const message = {
    en: `With this ${field}, a computed amount would exceed ${most.en}`,
    tr: `Bu ${field} ile bir tutar ${most.tr} değerini aşıyor`,
  };
  fail('validation_failed', { details: [{ field, code: 'out_of_range', message }] });
}
