// What the car cost and what is left of the price: for owner and finance alone, with the password again, each look in the audit log.
import type { SaleCost as Cost } from '../../../../src/domain/sales/sale-cost.ts';
import { call } from '../../api.ts';
import { formatFor } from '../../format.ts';
import { useLocale, useTexts } from '../../language.ts';
import type { Fact } from '../../parts/page/facts.tsx';
import { Money } from '../../parts/values.tsx';
import { Reveal } from '../../records/customers/reveal.tsx';
import type { SaleDetail } from '../../records/sales/sales.ts';
import { useFormat, useRole } from '../../session.ts';
import { salesTexts } from './texts.ts';

export function SaleCost({ sale }: { readonly sale: SaleDetail }) {
  const t = useTexts(salesTexts);
  const locale = useLocale();
  const format = useFormat();
  // A cancelled sale earned nothing with its price.
  const isTrusted = useRole('owner', 'finance') && sale.status !== 'İptal';
  if (!isTrusted) return null;
  const of = (name: string, amount: string | null, unit: string | null): Fact[] =>
    amount === null || unit === null ? [] : [{ name, value: <Money amount={amount} currency={unit} /> }];
  const facts = ({
    purchase_currency: bought,
    purchase_price,
    customs_fee,
    other_costs,
    expenses,
    cost,
    profit,
    margin,
  }: Cost): Fact[] => [
    { name: t.purchasePrice, value: purchase_price && bought && <Money amount={purchase_price} currency={bought} /> },
    ...of(t.customsFee, customs_fee, bought),
    ...of(t.otherCosts, other_costs, bought),
    ...expenses.flatMap(({ amount, currency }) => of(t.carExpenses, amount, currency)),
    ...((bought !== null && bought !== sale.currency) || expenses.length > 0 ? of(t.costInSale, cost, sale.currency) : []),
    ...of(t.profit, profit, sale.currency),
    ...(margin === null ? [] : [{ name: t.margin, value: format.percent(Number(margin) / 100) }]),
  ];
  const note = ({ purchase_price, profit, rates }: Cost): string => {
    if (purchase_price === null) return t.costUnknown;
    if (profit === null) return t.costNoRate;
    const [first] = rates;
    if (first === undefined) return t.costHint;
    const shown = rates.map(({ pair, rate }) => `${pair} ${rate}`).join(', ');
    return t.costRate(formatFor(locale, 'UTC').date(first.day), first.source, shown);
  };
  return (
    <Reveal
      title={t.costs}
      names={[t.purchasePrice, t.profit, t.margin]}
      kept={t.costHint}
      ask={() => call('POST sales/{sale_id}/reveal', { params: { sale_id: sale.id } })}
      facts={facts}
      note={note}
    />
  );
}
