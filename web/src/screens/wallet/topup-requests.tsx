// The requests to load the wallet, newest first: what became of them, and their receipts.
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FileText, Paperclip } from 'lucide-react';
import { useRef } from 'react';
import type { TopupLine } from '../../../../src/panel/wallet.ts';
import { ApiError, call, callPage } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime, Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { TopupBadge, walletWord } from '../../records/wallet-words.tsx';
import { partsTexts } from '../../texts/parts.ts';
import { RECEIPT_TYPES } from './receipt-input.tsx';
import { sendReceipt } from './send-receipt.ts';
import { walletTexts } from './texts.ts';

const LIMIT = 5;

export function TopupRequests() {
  const t = useTexts(walletTexts);
  const { talepler: offset = '0' } = useSearch({ from: '/shell/cuzdan' });
  const navigate = useNavigate({ from: '/cuzdan' });
  const columns = useColumns();
  const requests = useQuery({
    queryKey: ['wallet', 'requests', offset],
    queryFn: ({ signal }) => callPage('GET wallet/topup-requests', { query: { limit: LIMIT, offset }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-label={t.requests} className="mb-6">
      <h2 className="m-0 mb-2 text-16 font-semibold">{t.requests}</h2>
      <Loaded query={requests} rows={3}>
        {(page) => (
          <Table
            label={t.requests}
            rows={page.items}
            rowKey={({ id }) => id}
            columns={columns}
            empty={<EmptyState title={t.noRequests}>{t.noRequestsHint}</EmptyState>}
            footer={
              (page.hasMore || page.offset > 0) && (
                <Pagination
                  page={page}
                  onMove={(next) => navigate({ search: (now) => ({ ...now, talepler: next === 0 ? undefined : String(next) }) })}
                />
              )
            }
          />
        )}
      </Loaded>
    </section>
  );
}

function useColumns(): readonly Column<TopupLine>[] {
  const t = useTexts(walletTexts);
  const locale = useLocale();
  return [
    {
      id: 'amount',
      head: t.moved,
      onCard: 'title',
      cell: ({ amount, currency }) => (
        <strong className="font-semibold">
          <Money amount={amount} currency={currency} />
        </strong>
      ),
    },
    { id: 'status', head: t.status, cell: ({ status }) => <TopupBadge status={status} /> },
    { id: 'day', head: t.day, cell: ({ created_at }) => <DateTime at={created_at} /> },
    { id: 'method', head: t.method, cell: ({ method }) => walletWord(locale, method) },
    { id: 'reference', head: t.reference, cell: ({ reference }) => <span className="wrap-anywhere">{reference ?? ''}</span> },
    { id: 'receipt', head: t.receipt, cell: (topup) => <Receipts topup={topup} /> },
    {
      id: 'decision',
      head: t.decision,
      cell: ({ decided_at, decision_note }) =>
        decided_at !== null && (
          <>
            <DateTime at={decided_at} />
            {decision_note && <span className="block text-12 text-text-2 wrap-anywhere">{decision_note}</span>}
          </>
        ),
    },
  ];
}

function Receipts({ topup }: { readonly topup: TopupLine }) {
  const t = useTexts(walletTexts);
  const p = useTexts(partsTexts);
  const client = useQueryClient();
  const may = useMay('wallet:write', 'sensitive');
  const input = useRef<HTMLInputElement>(null);
  const failed = (error: Error) => notify({ title: error instanceof ApiError ? error.message : p.offline, failed: true });
  const add = useMutation({
    mutationFn: (file: File) => sendReceipt(topup.id, file),
    onSuccess: () => notify({ title: t.receiptAdded }),
    onError: failed,
    onSettled: () => client.invalidateQueries({ queryKey: ['wallet', 'requests'] }),
  });
  const open = useMutation({
    mutationFn: (document_id: string) =>
      call('GET wallet/topup-requests/{request_id}/receipts/{document_id}', { params: { request_id: topup.id, document_id } }),
    onSuccess: ({ url }) => window.open(url, '_blank', 'noopener'),
    onError: failed,
  });
  return (
    <span className="flex flex-wrap items-center gap-1">
      {topup.receipts.map(({ id }, place) =>
        may ? (
          <Button
            key={id}
            look="quiet"
            icon={FileText}
            busy={open.isPending && open.variables === id}
            onClick={() => open.mutate(id)}
          >
            {t.openReceipt(place + 1)}
          </Button>
        ) : (
          <span key={id}>{t.openReceipt(place + 1)}</span>
        ),
      )}
      {may && topup.status === 'Beklemede' ? (
        <>
          <input
            ref={input}
            type="file"
            accept={RECEIPT_TYPES}
            aria-label={t.addReceipt}
            tabIndex={-1}
            className="sr-only"
            onChange={(event) => {
              const [file] = event.target.files ?? [];
              if (file) add.mutate(file);
              event.target.value = '';
            }}
          />
          <Button look="quiet" icon={Paperclip} busy={add.isPending} onClick={() => input.current?.click()}>
            {t.addReceipt}
          </Button>
        </>
      ) : (
        topup.receipts.length === 0 && <span className="text-text-2">{t.noReceipt}</span>
      )}
    </span>
  );
}
