// Membership: the plan, what is used of its limits, and the invoices.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { INVOICE_STATUSES } from '../../../../src/domain/membership/membership-states.ts';
import { call, callPage } from '../../api.ts';
import type { ItemOf } from '../../endpoints.ts';
import { useLocale, useTexts } from '../../language.ts';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { Facts } from '../../parts/page/facts.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime, Day, Money } from '../../parts/values.tsx';
import { PlanUsage } from '../../records/plan-usage.tsx';
import { InvoiceBadge, MembershipBadge, walletWord } from '../../records/wallet-words.tsx';
import { useFormat } from '../../session.ts';
import { membershipTexts } from './texts.ts';

export function MembershipScreen() {
  const t = useTexts(membershipTexts);
  return (
    <>
      <PageHeader title={t.title} description={t.description} />
      <div className="mb-6 grid items-start gap-4 lg:grid-cols-2">
        <Plan />
        <Usage />
      </div>
      <Invoices />
    </>
  );
}

function Plan() {
  const t = useTexts(membershipTexts);
  const locale = useLocale();
  const membership = useQuery({
    queryKey: ['membership', 'plan'],
    queryFn: ({ signal }) => call('GET v1/membership', { signal }),
  });
  return (
    <Loaded query={membership} rows={4}>
      {({ plan, status, price, currency, period_start, period_end, auto_renew }) => (
        <Facts
          title={t.plan}
          facts={[
            { name: t.plan, value: <strong className="font-semibold">{walletWord(locale, plan)}</strong> },
            { name: t.status, value: <MembershipBadge status={status} /> },
            { name: t.price, value: <Money amount={price} currency={currency} /> },
            {
              name: t.period,
              value: (
                <>
                  <Day day={period_start} /> – <Day day={period_end} />
                </>
              ),
            },
            { name: t.renew, value: auto_renew ? t.yes : t.no },
          ]}
        >
          <p className="mt-3 mb-0 text-12 text-text-2">{t.change}</p>
        </Facts>
      )}
    </Loaded>
  );
}

function Usage() {
  const t = useTexts(membershipTexts);
  const usage = useQuery({
    queryKey: ['membership', 'usage'],
    queryFn: ({ signal }) => call('GET v1/membership/usage', { signal }),
  });
  return (
    <Loaded query={usage} rows={4}>
      {(loaded) => (
        <section className="card min-w-0 p-4" aria-label={t.usage}>
          <h2 className="m-0 mb-3 text-14 font-semibold">{t.usage}</h2>
          <PlanUsage usage={loaded} words={t} />
        </section>
      )}
    </Loaded>
  );
}

type Invoice = ItemOf<'GET v1/membership/invoices'>;

function Invoices() {
  const t = useTexts(membershipTexts);
  const locale = useLocale();
  const search = useSearch({ from: '/shell/uyelik' });
  const navigate = useNavigate({ from: '/uyelik' });
  const columns = useColumns();
  const invoices = useQuery({
    queryKey: ['membership', 'invoices', search],
    queryFn: ({ signal }) => callPage('GET v1/membership/invoices', { query: { ...search }, signal }),
    placeholderData: keepPreviousData,
  });
  const chips = [
    { value: '', label: t.all },
    ...INVOICE_STATUSES.map((value) => ({ value: value as string, label: walletWord(locale, value) })),
  ];
  return (
    <section aria-label={t.invoices}>
      <h2 className="m-0 mb-2 text-16 font-semibold">{t.invoices}</h2>
      <ChoiceChips
        label={t.status}
        value={search.status ?? ''}
        chips={chips}
        onChange={(status) => navigate({ search: status === '' ? {} : { status } })}
      />
      <Loaded query={invoices} rows={4}>
        {(page) => (
          <Table
            label={t.invoices}
            rows={page.items}
            rowKey={({ id }) => id}
            columns={columns}
            empty={<EmptyState title={t.noInvoices} />}
            footer={
              <Pagination
                page={page}
                onMove={(offset) =>
                  navigate({ search: (now) => ({ ...now, offset: offset === 0 ? undefined : String(offset) }) })
                }
              />
            }
          />
        )}
      </Loaded>
    </section>
  );
}

function useColumns(): readonly Column<Invoice>[] {
  const t = useTexts(membershipTexts);
  const format = useFormat();
  return [
    { id: 'no', head: t.invoiceNo, onCard: 'title', cell: ({ invoice_no }) => <span className="code">{invoice_no}</span> },
    { id: 'status', head: t.status, cell: ({ status }) => <InvoiceBadge status={status} /> },
    {
      id: 'period',
      head: t.period,
      cell: ({ period_start, period_end }) => (
        <>
          <Day day={period_start} /> – <Day day={period_end} />
        </>
      ),
    },
    {
      id: 'amount',
      head: t.amount,
      align: 'end',
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      id: 'tax',
      head: t.tax,
      align: 'end',
      cell: ({ tax_amount, currency, tax_rate }) => `${format.money(tax_amount, currency)} (%${Number(tax_rate)})`,
    },
    {
      id: 'total',
      head: t.total,
      align: 'end',
      cell: ({ total, currency }) => (
        <strong className="font-semibold">
          <Money amount={total} currency={currency} />
        </strong>
      ),
    },
    { id: 'due', head: t.due, cell: ({ due_date }) => <Day day={due_date} /> },
    { id: 'paid', head: t.paidAt, cell: ({ paid_at }) => <DateTime at={paid_at} show="date" /> },
  ];
}
