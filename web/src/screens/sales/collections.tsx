import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocale, useTexts } from '../../language.ts';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { Day, Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { useMayPrint } from '../../records/documents/papers.tsx';
import { ReceiptNumber } from '../../records/documents/receipts.tsx';
import { saleTexts, saleWord } from '../../records/sales/sale-texts.ts';
import { type Collection, type SaleDetail, saleCollectionsQuery } from '../../records/sales/sales.ts';
import { useFormat } from '../../session.ts';
import { saleActsTexts } from '../sale-acts/texts.ts';
import { CollectionActs } from './acts.tsx';
import type { BeginAct } from './sale-act.ts';
import { salesTexts } from './texts.ts';

/** Every record of money, reversing ones too, oldest first. */
export function SaleCollections({ sale, begin }: { readonly sale: SaleDetail; readonly begin: BeginAct }) {
  const t = useTexts(salesTexts);
  const [offset, setOffset] = useState(0);
  const collections = useQuery(saleCollectionsQuery(sale.id, offset));
  // What a cancelled sale has collected can no longer be reversed.
  const columns = useColumns(begin, sale.status !== 'İptal');
  return (
    <section aria-label={t.collections} className="min-w-0">
      <h2 className="m-0 mb-2 text-14 font-semibold">{t.collections}</h2>
      <Loaded query={collections} rows={3}>
        {(page) => (
          <Table
            label={t.collections}
            rows={page.items}
            rowKey={({ id }) => id}
            columns={columns}
            empty={<EmptyState title={t.noCollections} />}
            footer={(page.hasMore || offset > 0) && <Pagination page={page} onMove={setOffset} />}
          />
        )}
      </Loaded>
    </section>
  );
}

function useColumns(begin: BeginAct, isReversible: boolean): readonly Column<Collection>[] {
  const t = useTexts(salesTexts);
  const a = useTexts(saleActsTexts);
  const s = useTexts(saleTexts);
  const format = useFormat();
  const locale = useLocale();
  const mayReverse = useMay('collections:write', 'destructive') && isReversible;
  const mayPrint = useMayPrint();
  const acts: Column<Collection> = {
    id: 'acts',
    head: a.acts,
    headHidden: true,
    width: 'w-12',
    align: 'end',
    onCard: 'corner',
    cell: (collection) => <CollectionActs collection={collection} isReversible={isReversible} begin={begin} />,
  };
  return [
    {
      id: 'receipt',
      head: t.receipt,
      onCard: 'title',
      cell: (collection) => <ReceiptNumber collection={collection} />,
    },
    { id: 'day', head: t.day, cell: ({ collected_on }) => <Day day={collected_on} /> },
    {
      id: 'type',
      head: t.type,
      cell: ({ type, status, discount_reason, reason_code, reversal_reason }) => (
        <span>
          {saleWord(locale, type)}
          {discount_reason && <span className="text-text-2"> · {saleWord(locale, discount_reason)}</span>}
          {status === 'İptal Edildi' && <span className="block text-12 text-text-2">{s.reversed}</span>}
          {reversal_reason && (
            <span className="block text-12 wrap-anywhere text-text-2">
              {[reason_code && saleWord(locale, reason_code), reversal_reason].filter(Boolean).join(': ')}
            </span>
          )}
        </span>
      ),
    },
    { id: 'method', head: t.method, cell: ({ method }) => (method === null ? '' : saleWord(locale, method)) },
    {
      id: 'amount',
      head: t.amount,
      align: 'end',
      cell: ({ amount, currency, sale_currency, applied_amount, rate_pair, exchange_rate }) => (
        <span>
          <Money amount={amount} currency={currency} />
          {rate_pair && exchange_rate && applied_amount && sale_currency && (
            <span className="block text-12 text-text-2">
              {t.applied(format.money(applied_amount, sale_currency))} ·{' '}
              {t.rateOf(rate_pair, format.rate(exchange_rate, rate_pair.split('-')[1] ?? 'TL'))}
            </span>
          )}
        </span>
      ),
    },
    ...(mayReverse || mayPrint ? [acts] : []),
  ];
}
