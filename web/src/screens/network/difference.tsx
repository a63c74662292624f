import { useTexts } from '../../language.ts';
import { isAbove } from '../../records/amounts.ts';
import type { TradeRequest } from '../../records/network/network.ts';
import { useFormat } from '../../session.ts';
import { networkTexts } from './texts.ts';

/** Above zero the requester pays, below zero the recipient; worded from the reader's side. */
export function Difference({ trade: { cash_difference, currency, my_role } }: { readonly trade: TradeRequest }) {
  const t = useTexts(networkTexts);
  const format = useFormat();
  const requesterPays = isAbove(cash_difference);
  const amount = format.money(cash_difference.replace('-', ''), currency);
  if (!requesterPays && !cash_difference.startsWith('-')) return <>{t.noDifference}</>;
  return <>{requesterPays === (my_role === 'requester') ? t.paysYou(amount) : t.paysThem(amount)}</>;
}
