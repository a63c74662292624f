// A customer's sales and promises, and the money that came from them.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { BellRing, HandCoins } from 'lucide-react';
import { useState } from 'react';
import { callPage } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { Day, Money, None, Plate } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { isAbove } from '../../records/amounts.ts';
import { ReceiptNumber } from '../../records/documents/receipts.tsx';
import { reminderTexts } from '../../records/sales/reminder-texts.ts';
import { PromiseBadge, SaleStatusBadge } from '../../records/sales/sale-badges.tsx';
import { saleTexts, saleWord } from '../../records/sales/sale-texts.ts';
import {
  type Collection,
  type ListedSale,
  listSales,
  type PaymentPromise,
  promisesQuery,
  useMayCollect,
} from '../../records/sales/sales.ts';
import { Collect } from '../sale-acts/collect/collect.tsx';
import { Remind } from '../sale-acts/remind.tsx';
import { customerMoneyTexts } from './money-texts.ts';

const amountOf = (amount: string, currency: string) =>
  isAbove(amount) ? <Money amount={amount} currency={currency} /> : <None />;

export function CustomerSales() {
  const t = useTexts(customerMoneyTexts);
  const { customerId } = useParams({ from: '/shell/musteriler/$customerId/satislar' });
  const navigate = useNavigate();
  const [open, setOpen] = useState<OpenAct | null>(null);
  const sales = useQuery({
    queryKey: ['customer-money', 'sales', customerId],
    queryFn: ({ signal }) => listSales({ customer_id: customerId, limit: 100 }, signal),
  });
  const columns = useSaleColumns(setOpen);
  return (
    <>
      <Loaded query={sales} rows={3}>
        {(page) => (
          <Table
            label={t.sales}
            rows={page.items}
            rowKey={({ id }) => id}
            columns={columns}
            onOpen={({ id }) => navigate({ to: '/satislar/$saleId', params: { saleId: id } })}
            empty={<EmptyState title={t.noSales} />}
          />
        )}
      </Loaded>
      <Promises customerId={customerId} />
      {open?.act === 'collect' && <Collect saleId={open.saleId} onClose={() => setOpen(null)} />}
      {open?.act === 'remind' && <Remind saleId={open.saleId} onClose={() => setOpen(null)} />}
    </>
  );
}

interface OpenAct {
  readonly act: 'collect' | 'remind';
  readonly saleId: string;
}

function useSaleColumns(begin: (act: OpenAct) => void): readonly Column<ListedSale>[] {
  const t = useTexts(customerMoneyTexts);
  const r = useTexts(reminderTexts);
  const mayCollect = useMayCollect();
  const collects = useMay('collections:write');
  const mayRemind = useMay('customers:write');
  return [
    {
      id: 'sale',
      head: t.sale,
      onCard: 'title',
      cell: ({ id, sale_no }) => (
        <Link to="/satislar/$saleId" params={{ saleId: id }} className="link tabular">
          {sale_no}
        </Link>
      ),
    },
    {
      id: 'vehicle',
      head: t.vehicle,
      cell: ({ named }) =>
        named && (
          <span className="inline-flex flex-wrap items-center gap-x-2">
            {named.vehicle} <Plate plate={named.plate} />
          </span>
        ),
    },
    { id: 'date', head: t.date, cell: ({ sale_date }) => <Day day={sale_date} /> },
    { id: 'total', head: t.total, align: 'end', cell: (sale) => amountOf(sale.total_receivable, sale.currency) },
    { id: 'left', head: t.outstanding, align: 'end', cell: (sale) => amountOf(sale.outstanding_amount, sale.currency) },
    { id: 'late', head: t.overdue, align: 'end', cell: (sale) => amountOf(sale.overdue_amount, sale.currency) },
    { id: 'status', head: t.status, cell: ({ status }) => <SaleStatusBadge status={status} /> },
    ...(collects || mayRemind
      ? [
          {
            id: 'acts',
            head: t.collect,
            headHidden: true,
            align: 'end' as const,
            cell: ({ id, status, ...sale }: ListedSale) =>
              status === 'Aktif' && (
                <span className="inline-flex items-center gap-1">
                  {mayRemind && (
                    <IconButton label={r.remind} icon={BellRing} onClick={() => begin({ act: 'remind', saleId: id })} />
                  )}
                  {mayCollect(sale) && (
                    <Button look="quiet" icon={HandCoins} onClick={() => begin({ act: 'collect', saleId: id })}>
                      {t.collect}
                    </Button>
                  )}
                </span>
              ),
          },
        ]
      : []),
  ];
}

function Promises({ customerId }: { readonly customerId: string }) {
  const t = useTexts(customerMoneyTexts);
  const promises = useQuery(promisesQuery({ customer_id: customerId }));
  const ended = promises.data?.items.filter(({ status }) => status === 'Tutuldu' || status === 'Tutulmadı') ?? [];
  const kept = ended.filter(({ status }) => status === 'Tutuldu').length;
  const columns: readonly Column<PaymentPromise>[] = [
    { id: 'day', head: t.promisedFor, onCard: 'title', cell: ({ promised_date }) => <Day day={promised_date} /> },
    { id: 'amount', head: t.amount, align: 'end', cell: ({ amount, currency }) => amountOf(amount, currency) },
    { id: 'came', head: t.came, align: 'end', cell: (promise) => amountOf(promise.fulfilled_amount, promise.currency) },
    { id: 'status', head: t.status, cell: ({ status }) => <PromiseBadge status={status} /> },
  ];
  return (
    <section aria-label={t.promises} className="mt-6">
      <h2 className="m-0 mb-2 flex flex-wrap items-baseline gap-x-2 text-14 font-semibold">
        {t.promises}
        {ended.length > 0 && <span className="text-13 font-normal text-text-2">{t.kept(kept, ended.length)}</span>}
      </h2>
      <Loaded query={promises} rows={2}>
        {(page) => (
          <Table
            label={t.promises}
            rows={[...page.items].reverse()}
            rowKey={({ id }) => id}
            columns={columns}
            empty={<EmptyState title={t.noPromises} />}
          />
        )}
      </Loaded>
    </section>
  );
}

export function CustomerCollections() {
  const t = useTexts(customerMoneyTexts);
  const s = useTexts(saleTexts);
  const locale = useLocale();
  const { customerId } = useParams({ from: '/shell/musteriler/$customerId/tahsilatlar' });
  const { offset = '0' } = useSearch({ from: '/shell/musteriler/$customerId/tahsilatlar' });
  const navigate = useNavigate({ from: '/musteriler/$customerId/tahsilatlar' });
  const collections = useQuery({
    queryKey: ['customer-money', 'collections', customerId, offset],
    queryFn: ({ signal }) => callPage('GET v1/collections', { query: { customer_id: customerId, offset, limit: 50 }, signal }),
    placeholderData: keepPreviousData,
  });
  const columns: readonly Column<Collection>[] = [
    { id: 'receipt', head: t.receipt, onCard: 'title', cell: (collection) => <ReceiptNumber collection={collection} /> },
    { id: 'day', head: t.day, cell: ({ collected_on }) => <Day day={collected_on} /> },
    {
      id: 'type',
      head: t.type,
      cell: ({ type, status }) => (
        <>
          {saleWord(locale, type)}
          {status === 'İptal Edildi' && <span className="block text-12 text-text-2">{s.reversed}</span>}
        </>
      ),
    },
    { id: 'method', head: t.method, cell: ({ method }) => (method === null ? '' : saleWord(locale, method)) },
    {
      id: 'amount',
      head: t.amount,
      align: 'end',
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
  ];
  return (
    <Loaded query={collections} rows={4}>
      {(page) => (
        <Table
          label={t.collections}
          rows={page.items}
          rowKey={({ id }) => id}
          columns={columns}
          empty={<EmptyState title={t.noCollections} />}
          footer={
            (page.hasMore || page.offset > 0) && (
              <Pagination page={page} onMove={(to) => navigate({ search: { offset: to === 0 ? undefined : String(to) } })} />
            )
          }
        />
      )}
    </Loaded>
  );
}
