// The terms: prices, rates, delivery and papers; the guarantors; the amount that settles the sale today.
import { useQuery } from '@tanstack/react-query';
import { formatFor } from '../../format.ts';
import { useLocale, useTexts } from '../../language.ts';
import { type Fact, Facts } from '../../parts/page/facts.tsx';
import { ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { Day, Money } from '../../parts/values.tsx';
import { isAbove } from '../../records/amounts.ts';
import { useBranches } from '../../records/branches.ts';
import { Phone } from '../../records/customers/contact.tsx';
import { fullName } from '../../records/customers/customers.ts';
import { guarantorsQuery } from '../../records/customers/guarantors.ts';
import { saleWord } from '../../records/sales/sale-texts.ts';
import type { SaleDetail } from '../../records/sales/sales.ts';
import { useStaff } from '../../records/staff.ts';
import { VehicleName } from '../../records/vehicles/vehicle-name.tsx';
import { useFormat } from '../../session.ts';
import { salesTexts } from './texts.ts';

interface OfSale {
  readonly sale: SaleDetail;
}

export function SaleTerms({ sale }: OfSale) {
  const t = useTexts(salesTexts);
  const locale = useLocale();
  const format = useFormat();
  const staff = useStaff();
  const { currency } = sale;
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  const percent = (value: string | null) => (value === null ? null : format.percent(Number(value) / 100));
  const seller = staff.find(({ id }) => id === sale.salesperson_id)?.full_name ?? null;
  const branch = useBranches().find(({ id }) => id === sale.branch_id)?.name ?? null;
  const facts: Fact[] = [
    { name: t.sale_price, value: money(sale.sale_price) },
    ...(isAbove(sale.trade_in_amount) ? [{ name: t.trade_in, value: <TradeIn sale={sale} /> }] : []),
    { name: t.down_payment, value: money(sale.down_payment) },
    ...(isAbove(sale.finance_charge) ? [{ name: t.finance_charge, value: money(sale.finance_charge) }] : []),
    { name: t.total_receivable, value: money(sale.total_receivable) },
    ...(sale.yearly_rate === null ? [] : [{ name: t.yearly_rate, value: percent(sale.yearly_rate) }]),
    ...(sale.late_rate_yearly === null ? [] : [{ name: t.late_rate, value: percent(sale.late_rate_yearly) }]),
    ...(branch === null ? [] : [{ name: t.branch, value: branch }]),
    ...(seller === null ? [] : [{ name: t.salesperson, value: seller }]),
    { name: t.delivery, value: useDelivery(sale) },
    { name: t.titleTransfer, value: <TitleTransfer sale={sale} /> },
    { name: t.lien, value: useLien(sale) },
    { name: t.invoice, value: sale.invoice.no },
    { name: t.legal, value: saleWord(locale, sale.legal_stage) },
  ];
  return <Facts title={t.terms} facts={facts} />;
}

function TradeIn({ sale }: OfSale) {
  return (
    <>
      <Money amount={sale.trade_in_amount} currency={sale.currency} />
      {sale.trade_in_vehicle_id && (
        <span className="block text-13">
          <VehicleName id={sale.trade_in_vehicle_id} />
        </span>
      )}
    </>
  );
}

const useDay = (): ((day: string) => string) => {
  const locale = useLocale();
  return (day) => formatFor(locale, 'UTC').date(day);
};

function useDelivery({ delivered_at, delivery_due_on }: SaleDetail): string | null {
  const t = useTexts(salesTexts);
  const day = useDay();
  if (delivered_at !== null) return t.deliveredOn(day(delivered_at));
  return delivery_due_on === null ? null : t.deliveryDue(day(delivery_due_on));
}

function useLien({ lien: { placed_on, removed_on } }: SaleDetail): string | null {
  const t = useTexts(salesTexts);
  const day = useDay();
  if (placed_on === null) return null;
  return removed_on === null ? t.lienOpen(day(placed_on)) : t.lienGone(day(removed_on));
}

function TitleTransfer({ sale: { title_transfer } }: OfSale) {
  const locale = useLocale();
  const word = title_transfer.status === 'Bekliyor' && locale === 'en' ? 'Pending' : saleWord(locale, title_transfer.status);
  return (
    <>
      {word}
      {title_transfer.on && (
        <>
          {' '}
          · <Day day={title_transfer.on} />
        </>
      )}
    </>
  );
}

export function SalePayoff({ sale: { payoff, currency } }: OfSale) {
  const t = useTexts(salesTexts);
  if (payoff === null || !(isAbove(payoff.late_interest) || isAbove(payoff.unearned_finance_charge))) return null;
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  return (
    <Facts
      title={t.payoff}
      facts={[
        { name: t.payoffOutstanding, value: money(payoff.outstanding) },
        ...(isAbove(payoff.late_interest) ? [{ name: t.payoffLate, value: money(payoff.late_interest) }] : []),
        ...(isAbove(payoff.unearned_finance_charge)
          ? [{ name: t.payoffEarly, value: money(payoff.unearned_finance_charge) }]
          : []),
      ]}
    >
      <p className="mt-2 mb-0 text-12 text-text-2">{t.payoffHint}</p>
    </Facts>
  );
}

export function SaleGuarantors({ sale }: OfSale) {
  const t = useTexts(salesTexts);
  const isAsked = sale.guarantor_ids.length > 0;
  const guarantors = useQuery({ ...guarantorsQuery(sale.customer_id), enabled: isAsked });
  const found = guarantors.data?.items.filter(({ id }) => sale.guarantor_ids.includes(id)) ?? [];
  return (
    <section className="card min-w-0 p-4" aria-label={t.guarantors}>
      <h2 className="m-0 mb-2 text-14 font-semibold">{t.guarantors}</h2>
      {!isAsked ? (
        <p className="m-0 text-text-2">{t.noGuarantors}</p>
      ) : guarantors.isPending ? (
        <Skeleton className="h-10 w-full" />
      ) : guarantors.isError ? (
        <ErrorState error={guarantors.error} onRetry={guarantors.refetch} />
      ) : (
        <ul className="m-0 list-none divide-y divide-line p-0">
          {found.map((guarantor) => (
            <li key={guarantor.id} className="py-1.5 first:pt-0 last:pb-0">
              <span className="block font-medium wrap-anywhere">{fullName(guarantor)}</span>
              <Phone phone={guarantor.phone} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function SaleNotes({ sale: { notes } }: OfSale) {
  const t = useTexts(salesTexts);
  return (
    <section className="card min-w-0 p-4" aria-label={t.notes}>
      <h2 className="m-0 mb-2 text-14 font-semibold">{t.notes}</h2>
      <p className={`m-0 whitespace-pre-line wrap-anywhere ${notes === null ? 'text-text-2' : ''}`}>{notes ?? t.noNotes}</p>
    </section>
  );
}
