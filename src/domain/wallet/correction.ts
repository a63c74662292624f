// A correction of a dealer's balance by the platform (P10): posted against the platform's adjustments, in either direction.
import { formatMoney, parseMoney } from '../../kit/money.ts';
import type { Work } from '../../kit/work.ts';
import { type Field, type Fields, Refused, required, textField } from '../records/fields.ts';
import { audit } from '../writes/audit.ts';
import { post } from './ledger.ts';
import { readTransaction, type WalletTransaction } from './wallet-view.ts';

const ALLOWED = {
  en: 'an amount such as 250.00 or -250.00, not zero',
  tr: '250.00 ya da -250.00 gibi, sıfırdan farklı bir tutar',
};

/** In minor units, positive or negative. */
const signedMoneyField: Field<bigint> = {
  required: false,
  nullable: false,
  stored: 'minor',
  schema: { type: ['string', 'number'], pattern: '^[+-]?\\d{1,12}(\\.\\d{1,2})?$' },
  fromText: (text) => text,
  read: (value) => {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    const size = parseMoney(text.replace(/^[+-]/, ''));
    if (size === null || size === 0n) return new Refused('invalid_amount', ALLOWED);
    return text.startsWith('-') ? -size : size;
  },
};

export interface Correction {
  readonly amount: bigint;
  readonly description: string;
}

export const CORRECTION_FIELDS = {
  amount: required(signedMoneyField),
  description: required(textField(500)),
} as const satisfies Fields;

/** `decisionId`: the decision of two administrators; required above MONEY_ALONE_UP_TO in 24 hours. */
export async function correctWallet(
  work: Work,
  { amount, description, decisionId }: Correction & { readonly decisionId: string | null },
): Promise<WalletTransaction> {
  const { db, actor, account } = work;
  const id = await post(work, { type: 'Düzeltme', amount, description, ...(decisionId === null ? {} : { decisionId }) });
  await audit(db, actor, 'wallet.corrected', id, { accountId: account.id, after: { amount: formatMoney(amount), description } });
  return readTransaction(db, id);
}
