// What the car cost and what is left of the price: for owner and finance alone, and asked for at a door of their own.
import { useQuery } from '@tanstack/react-query';
import type { SaleCost as Cost } from '../../../../src/domain/sales/sale-cost.ts';
import { call } from '../../api.ts';
import { formatFor } from '../../format.ts';
import { useLocale, useTexts } from '../../language.ts';
import { type Fact, Facts } from '../../parts/facts.tsx';
import { Money } from '../../parts/values.tsx';
import type { SaleDetail } from '../../records/sales.ts';
import { useFormat, useRole } from '../../session.ts';
import { salesTexts } from './texts.ts';

export function SaleCost({ sale }: { readonly sale: SaleDetail }) {
  // A cancelled sale earned nothing with its price.
  const isTrusted = useRole('owner', 'finance') && sale.status !== 'İptal';
  const cost = useQuery({
    queryKey: ['sale', sale.id, 'cost'],
    queryFn: ({ signal }) => call('GET sales/{sale_id}/cost', { params: { sale_id: sale.id }, signal }),
    enabled: isTrusted,
  }).data;
  return isTrusted && cost ? <CostFacts cost={cost} currency={sale.currency} /> : null;
}

function CostFacts({ cost, currency }: { readonly cost: Cost; readonly currency: string }) {
  const t = useTexts(salesTexts);
  const locale = useLocale();
  const format = useFormat();
  const { purchase_currency: bought, purchase_price, customs_fee, other_costs, profit, margin, rate } = cost;
  const of = (name: string, amount: string | null, unit: string | null): Fact[] =>
    amount === null || unit === null ? [] : [{ name, value: <Money amount={amount} currency={unit} /> }];
  const isForeign = bought !== null && bought !== currency;
  return (
    <Facts
      title={t.costs}
      facts={[
        { name: t.purchasePrice, value: purchase_price && bought && <Money amount={purchase_price} currency={bought} /> },
        ...of(t.customsFee, customs_fee, bought),
        ...of(t.otherCosts, other_costs, bought),
        ...(isForeign ? of(t.costInSale, cost.cost, currency) : []),
        ...of(t.profit, profit, currency),
        ...(margin === null ? [] : [{ name: t.margin, value: format.percent(Number(margin) / 100) }]),
      ]}
    >
      <p className="mt-2 mb-0 text-12 text-text-2">
        {purchase_price === null
          ? t.costUnknown
          : profit === null
            ? t.costNoRate
            : rate
              ? t.costRate(formatFor(locale, 'UTC').date(rate.day), rate.source)
              : t.costHint}
      </p>
    </Facts>
  );
}
