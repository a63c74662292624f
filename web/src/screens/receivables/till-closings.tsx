import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { LockOpen } from 'lucide-react';
import { useState } from 'react';
import type { TillClosing } from '../../../../src/domain/receivables/till-closing.ts';
import { addressOf, call, callPage } from '../../api.ts';
import { useOwnFirst } from '../../currencies.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime, Day } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { PaperLink, useMayPrint } from '../../records/documents/papers.tsx';
import { ReasonLayer } from '../../records/reason-layer.tsx';
import { saleWord } from '../../records/sales/sale-texts.ts';
import { useFormat, useRole } from '../../session.ts';
import { receivablesTexts } from './texts.ts';

/** The days that were closed, newest first; owner and finance may open one again, with its reason. */
export function Closings({ branchId }: { readonly branchId: string }) {
  const t = useTexts(receivablesTexts);
  const [offset, setOffset] = useState(0);
  const [reopens, setReopens] = useState<TillClosing | null>(null);
  const closings = useQuery({
    queryKey: ['till', 'closings', branchId, offset],
    queryFn: ({ signal }) => callPage('GET till/closings', { query: { branch_id: branchId, offset, limit: 25 }, signal }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns(setReopens);
  return (
    <section aria-label={t.closings} className="mt-6">
      <h2 className="m-0 mb-2 text-14 font-semibold">{t.closings}</h2>
      <Loaded query={closings} rows={3}>
        {(page) => (
          <Table
            label={t.closings}
            rows={page.items}
            rowKey={({ id }) => id}
            columns={columns}
            empty={<EmptyState title={t.noClosings} />}
            footer={(page.hasMore || offset > 0) && <Pagination page={page} onMove={setOffset} />}
          />
        )}
      </Loaded>
      {reopens && <Reopen closing={reopens} onClose={() => setReopens(null)} />}
    </section>
  );
}

function useColumns(onReopen: (closing: TillClosing) => void): readonly Column<TillClosing>[] {
  const t = useTexts(receivablesTexts);
  const may = useMay('collections:write', 'destructive');
  const isTrusted = useRole('owner');
  const mayPrint = useMayPrint();
  return [
    { id: 'day', head: t.day, onCard: 'title', cell: ({ day }) => <Day day={day} /> },
    {
      id: 'lines',
      head: t.countedWithDifference,
      cell: ({ lines }) => <CountedLines lines={lines} />,
    },
    { id: 'reason', head: t.differenceReason, cell: ({ reason }) => <span className="wrap-anywhere">{reason ?? ''}</span> },
    {
      id: 'by',
      head: t.closedBy,
      cell: ({ closed_by, closed_at, reopened_by, reopen_reason }) => (
        <div className="min-w-0">
          {closed_by} · <DateTime at={closed_at} />
          {reopened_by && (
            <span className="block text-12 text-text-2">
              {t.reopenedBy(reopened_by)}: {reopen_reason}
            </span>
          )}
        </div>
      ),
    },
    ...(mayPrint
      ? [
          {
            id: 'paper',
            head: t.print,
            headHidden: true,
            align: 'end' as const,
            cell: ({ id }: TillClosing) => (
              <PaperLink
                look="quiet"
                title={t.closingPaper}
                href={addressOf('GET till/closings/{closing_id}/closing.pdf', { params: { closing_id: id } })}
              >
                {t.print}
              </PaperLink>
            ),
          },
        ]
      : []),
    ...(may && isTrusted
      ? [
          {
            id: 'acts',
            head: t.reopen,
            headHidden: true,
            align: 'end' as const,
            cell: (closing: TillClosing) =>
              closing.reopened_at === null && (
                <Button look="quiet" icon={LockOpen} onClick={() => onReopen(closing)}>
                  {t.reopen}
                </Button>
              ),
          },
        ]
      : []),
  ];
}

function CountedLines({ lines }: Pick<TillClosing, 'lines'>) {
  const locale = useLocale();
  const format = useFormat();
  const ownFirst = useOwnFirst();
  return (
    <div className="min-w-0">
      {ownFirst(lines).map(({ method, currency, counted, difference }) => (
        <span key={`${method} ${currency}`} className="block sm:whitespace-nowrap">
          {saleWord(locale, method)}: {format.money(counted ?? '0', currency)}
          {difference !== null && difference !== '0.00' && (
            <span className="text-danger"> ({format.money(difference, currency)})</span>
          )}
        </span>
      ))}
    </div>
  );
}

function Reopen({ closing, onClose }: { readonly closing: TillClosing; readonly onClose: () => void }) {
  const t = useTexts(receivablesTexts);
  const client = useQueryClient();
  return (
    <ReasonLayer
      title={t.reopenTitle}
      description={t.reopenText}
      action={t.reopen}
      label={t.reopenReason}
      send={(typed, headers) =>
        call('POST till/closings/{closing_id}/reopen', { params: { closing_id: closing.id }, rawBody: typed, headers })
      }
      onDone={() => {
        notify({ title: t.reopened });
        return client.invalidateQueries({ queryKey: ['till'] });
      }}
      onClose={onClose}
    />
  );
}
