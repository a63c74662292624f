// The running statement of a customer, one currency at a time: what fell due, what was paid, and the balance after each line.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import type { Statement, StatementLine } from '../../../../src/domain/receivables/statement.ts';
import { addressOf, call } from '../../api.ts';
import { useCurrencies } from '../../currencies.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { Figure } from '../../parts/figure.tsx';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { FilterBar, FilterSelect } from '../../parts/table/filters.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { Day, Money, None } from '../../parts/values.tsx';
import { isAbove } from '../../records/amounts.ts';
import { PaperLink, useMayPrint } from '../../records/documents/papers.tsx';
import { OpenDeposits } from '../../records/sales/open-deposits.tsx';
import { saleWord } from '../../records/sales/sale-texts.ts';
import { listSales, useToday } from '../../records/sales/sales.ts';
import { useRole } from '../../session.ts';
import { customerMoneyTexts } from './money-texts.ts';

const LIMIT = 100;

const yearBefore = (day: string): string => `${Number(day.slice(0, 4)) - 1}${day.slice(4).replace('-02-29', '-02-28')}`;

interface DownloadsProps {
  readonly customerId: string;
  readonly query: { readonly currency: string; readonly from: string; readonly to: string };
}

function Downloads({ customerId, query }: DownloadsProps) {
  const t = useTexts(customerMoneyTexts);
  const request = { params: { customer_id: customerId }, query };
  const look = `${buttonLook()} self-end`;
  return (
    <>
      <a href={addressOf('GET customers/{customer_id}/statement.csv', request)} download className={look}>
        <Download aria-hidden className="size-4" />
        {t.csv}
      </a>
      {useRole('owner', 'finance', 'sales') && (
        <a href={addressOf('GET customers/{customer_id}/statement.xlsx', request)} download className={look}>
          <Download aria-hidden className="size-4" />
          {t.xlsx}
        </a>
      )}
    </>
  );
}

interface PrintedProps {
  readonly customerId: string;
  readonly query: { readonly currency: string; readonly from: string; readonly to: string };
}

function PrintedStatement({ customerId, query }: PrintedProps) {
  const t = useTexts(customerMoneyTexts);
  if (!useMayPrint()) return null;
  return (
    <span className="self-end">
      <PaperLink
        title={t.statement}
        href={addressOf('GET customers/{customer_id}/statement.pdf', { params: { customer_id: customerId }, query })}
      >
        {t.pdf}
      </PaperLink>
    </span>
  );
}

export function CustomerStatement() {
  const t = useTexts(customerMoneyTexts);
  const today = useToday();
  const { customerId } = useParams({ from: '/shell/musteriler/$customerId/ekstre' });
  const search = useSearch({ from: '/shell/musteriler/$customerId/ekstre' });
  const navigate = useNavigate({ from: '/musteriler/$customerId/ekstre' });
  // Begins with the currency of the newest sale.
  const newest = useQuery({
    queryKey: ['customer-money', 'newest', customerId],
    queryFn: ({ signal }) => listSales({ customer_id: customerId, limit: 1 }, signal),
  });
  const currencies = useCurrencies();
  const currency = search.currency ?? newest.data?.items[0]?.currency ?? currencies[0]?.value ?? 'TL';
  const { from = yearBefore(today), to = today, offset = '0' } = search;
  const statement = useQuery({
    queryKey: ['customer-money', 'statement', customerId, currency, from, to, offset],
    queryFn: ({ signal }) =>
      call('GET customers/{customer_id}/statement', {
        params: { customer_id: customerId },
        query: { currency, from, to, offset, limit: LIMIT },
        signal,
      }),
    placeholderData: keepPreviousData,
    enabled: search.currency !== undefined || !newest.isPending,
  });
  const change = (part: Partial<typeof search>) => navigate({ search: { ...search, offset: undefined, ...part } });
  const day = (name: 'from' | 'to', value: string) => (
    <div className="min-w-32 flex-1 sm:w-40 sm:flex-none">
      <Field label={t[name]}>
        <TextInput type="date" value={value} onChange={(typed) => typed !== '' && change({ [name]: typed })} />
      </Field>
    </div>
  );
  return (
    <>
      <OpenDeposits of={{ customer_id: customerId }} />
      <FilterBar>
        <FilterSelect
          label={t.currency}
          value={currency}
          options={useCurrencies()}
          onChange={(value) => change({ currency: value })}
        />
        {day('from', from)}
        {day('to', to)}
        <Downloads customerId={customerId} query={{ currency, from, to }} />
        <PrintedStatement customerId={customerId} query={{ currency, from, to }} />
      </FilterBar>
      <Loaded query={statement}>
        {(loaded) => (
          <StatementView
            statement={loaded}
            offset={Number(offset)}
            onMove={(next) => change({ offset: next === 0 ? undefined : String(next) })}
          />
        )}
      </Loaded>
    </>
  );
}

interface StatementViewProps {
  readonly statement: Statement;
  readonly offset: number;
  readonly onMove: (offset: number) => void;
}

function StatementView({ statement, offset, onMove }: StatementViewProps) {
  const t = useTexts(customerMoneyTexts);
  const columns = useColumns(statement.currency);
  const money = (amount: string) => <Money amount={amount} currency={statement.currency} />;
  const page = { items: statement.lines, limit: LIMIT, offset, hasMore: statement.has_more, total: statement.count };
  return (
    <>
      <dl className="m-0 mb-2 grid grid-cols-2 gap-3 lg:grid-cols-5">
        <Figure name={t.opening} value={money(statement.opening)} />
        <Figure name={t.closing} value={money(statement.closing)} />
        <Figure name={t.notDue} value={money(statement.not_due)} />
        <Figure name={t.deposit} value={money(statement.open_deposit)} />
        <Figure name={t.lateInterest} value={money(statement.late_interest)} />
      </dl>
      <p className="mt-0 mb-3 text-12 text-text-2">{t.besideHint}</p>
      <AgingLine statement={statement} />
      <Table
        label={t.statement}
        rows={statement.lines}
        rowKey={({ kind, id }) => `${kind} ${id}`}
        columns={columns}
        empty={<EmptyState title={t.noMovements} />}
        footer={
          (page.hasMore || offset > 0) && (
            <>
              <Pagination page={page} onMove={onMove} />
              {page.hasMore && (
                <Button look="quiet" className="mt-1" onClick={() => onMove(Math.floor((statement.count - 1) / LIMIT) * LIMIT)}>
                  {t.toNewest}
                </Button>
              )}
            </>
          )
        }
      />
    </>
  );
}

const BUCKETS = ['not_due', 'd1_30', 'd31_60', 'd61_90', 'd91', 'total'] as const;

/** What is open today by how late it is. */
function AgingLine({ statement: { aging, currency } }: { readonly statement: Statement }) {
  const t = useTexts(customerMoneyTexts);
  if (!isAbove(aging.total)) return null;
  return (
    <section aria-label={t.aging} className="card mb-4 px-4 py-3">
      <h2 className="m-0 mb-2 text-13 font-semibold">{t.aging}</h2>
      <dl className="m-0 grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-3 lg:grid-cols-6">
        {BUCKETS.map((bucket) => (
          <div key={bucket}>
            <dt className="text-12 text-text-2">{t.buckets[bucket]}</dt>
            <dd className={cx('m-0', bucket === 'total' && 'font-semibold')}>
              {isAbove(aging[bucket]) ? <Money amount={aging[bucket]} currency={currency} /> : <None />}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function useColumns(currency: string): readonly Column<StatementLine>[] {
  const t = useTexts(customerMoneyTexts);
  const locale = useLocale();
  const money = (amount: string) => (isAbove(amount) ? <Money amount={amount} currency={currency} /> : <None />);
  const what = ({ kind, label, type }: StatementLine): string =>
    kind === 'installment' ? t.row(label) : kind === 'cancelled' ? t.cancelled : `${saleWord(locale, type)} ${label}`;
  return [
    { id: 'what', head: t.what, onCard: 'title', cell: (line) => what(line) },
    { id: 'day', head: t.day, cell: ({ day }) => <Day day={day} /> },
    {
      id: 'sale',
      head: t.sale,
      cell: ({ sale_id, sale_no }) => (
        <Link to="/satislar/$saleId" params={{ saleId: sale_id }} className="link tabular">
          {sale_no}
        </Link>
      ),
    },
    { id: 'debit', head: t.debit, align: 'end', cell: ({ debit }) => money(debit) },
    { id: 'credit', head: t.credit, align: 'end', cell: ({ credit }) => money(credit) },
    {
      id: 'balance',
      head: t.balance,
      align: 'end',
      cell: ({ balance }) => (
        <span className="font-medium">
          <Money amount={balance} currency={currency} />
        </span>
      ),
    },
  ];
}
