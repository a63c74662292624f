// The installments of one day, in a drawer beside the calendar: who, how much, and what one does about it.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BellRing, CalendarClock, HandCoins } from 'lucide-react';
import { useState } from 'react';
import type { CalendarInstallment } from '../../../../src/domain/receivables/calendar.ts';
import { callPage } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Drawer } from '../../parts/overlay/dialog.tsx';
import { ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { Money, Plate } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { InstallmentBadge } from '../../records/sales/sale-badges.tsx';
import { saleTexts } from '../../records/sales/sale-texts.ts';
import { useRole } from '../../session.ts';
import { Collect } from '../sale-acts/collect/collect.tsx';
import { MoveDueDate } from '../sale-acts/move-due-date.tsx';
import { Remind } from '../sale-acts/remind.tsx';
import { saleActsTexts } from '../sale-acts/texts.ts';
import { useDayName } from './day-name.ts';
import { receivablesTexts } from './texts.ts';

const LIMIT = 50;

interface OpenAct {
  readonly act: 'collect' | 'move' | 'remind';
  readonly row: CalendarInstallment;
}

export function CalendarDayRows({ day, onClose }: { readonly day: string; readonly onClose: () => void }) {
  const t = useTexts(receivablesTexts);
  const dayName = useDayName();
  const [offset, setOffset] = useState(0);
  const [open, setOpen] = useState<OpenAct | null>(null);
  const close = () => setOpen(null);
  const rowName = useRowName();
  const rows = useQuery({
    queryKey: ['receivables', 'calendar', 'rows', day, offset],
    queryFn: ({ signal }) => callPage('GET receivables/calendar/rows', { query: { day, limit: LIMIT, offset }, signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Drawer open onClose={onClose} title={t.rowsOf(dayName(day))}>
      {rows.isPending ? (
        <Skeleton className="h-40 w-full" />
      ) : rows.isError ? (
        <ErrorState error={rows.error} onRetry={rows.refetch} />
      ) : rows.data.items.length === 0 ? (
        <p className="m-0 text-text-2">{t.noRows}</p>
      ) : (
        <ul aria-label={t.rowsOf(dayName(day))} className="m-0 list-none divide-y divide-line p-0">
          {rows.data.items.map((row) => (
            <Row key={row.id} row={row} begin={(act) => setOpen({ act, row })} />
          ))}
        </ul>
      )}
      {rows.data && (rows.data.hasMore || offset > 0) && <Pagination page={rows.data} onMove={setOffset} />}
      {open?.act === 'collect' && <Collect saleId={open.row.sale_id} installmentId={open.row.id} onClose={close} />}
      {open?.act === 'remind' && <Remind saleId={open.row.sale_id} installmentId={open.row.id} onClose={close} />}
      {open?.act === 'move' && (
        <MoveDueDate installmentId={open.row.id} installment={rowName(open.row)} from={day} onClose={close} />
      )}
    </Drawer>
  );
}

function useRowName(): (row: CalendarInstallment) => string {
  const t = useTexts(receivablesTexts);
  const s = useTexts(saleTexts);
  return ({ row_no, row_count }) => (row_no === 0 ? t.down : s.rowOf(row_no, row_count));
}

function Row({ row, begin }: { readonly row: CalendarInstallment; readonly begin: (act: OpenAct['act']) => void }) {
  const t = useTexts(receivablesTexts);
  const a = useTexts(saleActsTexts);
  const rowName = useRowName();
  const isOpen = row.status !== 'Ödendi';
  // A salesperson collects from the board and the sale's page, where it is known whose sale it is.
  const isSeller = useRole('sales');
  const mayCollect = useMay('collections:write') && isOpen && !isSeller;
  const mayMove = useMay('installments:write') && isOpen;
  const mayRemind = useMay('customers:write') && isOpen;
  return (
    <li className="py-3 first:pt-1">
      <div className="flex items-start justify-between gap-2">
        <Link
          to="/satislar/$saleId"
          params={{ saleId: row.sale_id }}
          className="min-w-0 font-medium wrap-anywhere text-text no-underline hover:underline"
        >
          {row.customer}
        </Link>
        <span className="shrink-0 font-semibold">
          <Money amount={isOpen ? row.remaining : row.amount} currency={row.currency} />
        </span>
      </div>
      <div className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-13 text-text-2">
        <Plate plate={row.plate} />
        <span>{rowName(row)}</span>
        <InstallmentBadge {...row} />
        {(mayCollect || mayMove || mayRemind) && (
          <span className="ml-auto inline-flex items-center gap-1">
            {mayRemind && <IconButton label={t.remind} icon={BellRing} onClick={() => begin('remind')} />}
            {mayMove && <IconButton label={t.moveDue} icon={CalendarClock} onClick={() => begin('move')} />}
            {mayCollect && (
              <Button icon={HandCoins} onClick={() => begin('collect')}>
                {a.collect}
              </Button>
            )}
          </span>
        )}
      </div>
    </li>
  );
}
