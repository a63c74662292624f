// Whom to remind today by the account's rules, each with a message ready to be sent, and what went out.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReminderRow, ReminderTarget } from '../../../../src/domain/reminders/reminder.ts';
import type { ReminderLine } from '../../../../src/domain/reminders/reminder-log.ts';
import { call, callPage } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Loaded } from '../../parts/page/loaded.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { DateTime, Day, Money, Plate } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { reminderTexts } from '../../records/sales/reminder-texts.ts';
import { useDayWords, WhatsApp } from '../../records/sales/reminders.tsx';
import { saleTexts } from '../../records/sales/sale-texts.ts';
import { useRole } from '../../session.ts';
import { receivablesTexts } from './texts.ts';

const LIMIT = 25;
const MINUTE = 60_000;

export function RemindersScreen() {
  const t = useTexts(receivablesTexts);
  const due = useQuery({
    queryKey: ['receivables', 'reminders'],
    queryFn: ({ signal }) => call('GET receivables/reminders', { signal }),
    refetchInterval: MINUTE,
  });
  return (
    <>
      <h2 className="m-0 mb-2 text-14 font-semibold">{t.remindToday}</h2>
      <Loaded query={due} rows={4}>
        {(rows) => <DueTable rows={rows} />}
      </Loaded>
      <Sent />
    </>
  );
}

interface Line {
  readonly row: ReminderRow;
  readonly to: ReminderTarget;
}

function DueTable({ rows }: { readonly rows: readonly ReminderRow[] }) {
  const t = useTexts(receivablesTexts);
  const isOwner = useRole('owner');
  const lines = rows.flatMap((row) => row.recipients.map((to): Line => ({ row, to })));
  return (
    <Table
      label={t.remindToday}
      rows={lines}
      rowKey={({ row, to }) => `${row.installment_id} ${to.id}`}
      columns={useDueColumns()}
      empty={
        <EmptyState
          title={t.noneToRemind}
          action={
            isOwner && (
              <Link to="/ayarlar/hesap" className="link">
                {t.reminderRules}
              </Link>
            )
          }
        >
          {t.noneToRemindText}
        </EmptyState>
      }
    />
  );
}

function useDueColumns(): readonly Column<Line>[] {
  const t = useTexts(receivablesTexts);
  const r = useTexts(reminderTexts);
  const s = useTexts(saleTexts);
  const dayWords = useDayWords();
  const may = useMay('customers:write');
  const act: Column<Line> = {
    id: 'act',
    head: r.whatsapp,
    headHidden: true,
    align: 'end',
    cell: ({ row, to }) => <WhatsApp row={row} to={to} />,
  };
  return [
    {
      id: 'name',
      head: t.recipient,
      onCard: 'title',
      cell: (line) => <RecipientCell {...line} />,
    },
    {
      id: 'row',
      head: t.row,
      cell: ({ row }) => (
        <span className="inline-flex flex-wrap items-center gap-x-2">
          <Plate plate={row.plate} />
          <span className="whitespace-nowrap">{row.row_no === 0 ? t.down : s.rowOf(row.row_no, row.row_count)}</span>
        </span>
      ),
    },
    {
      id: 'due',
      head: t.due,
      cell: ({ row }) => (
        <span>
          <Day day={row.due_date} />
          <span className="block text-12 text-text-2">{dayWords(row.day)}</span>
        </span>
      ),
    },
    {
      id: 'amount',
      head: t.remaining,
      align: 'end',
      cell: ({ row }) => <Money amount={row.amount} currency={row.currency} />,
    },
    {
      id: 'state',
      head: t.state,
      cell: (line) => <StateCell {...line} />,
    },
    ...(may ? [act] : []),
  ];
}

function RecipientCell({ row, to }: Line) {
  const t = useTexts(receivablesTexts);
  return (
    <span>
      <Link
        to="/satislar/$saleId"
        params={{ saleId: row.sale_id }}
        className="font-medium text-text no-underline hover:underline"
      >
        {to.name}
      </Link>
      {to.role === 'Kefil' && <span className="block text-12 text-text-2">{t.guarantorOf(row.recipients[0]!.name)}</span>}
    </span>
  );
}

function StateCell({ to }: Line) {
  const t = useTexts(receivablesTexts);
  const r = useTexts(reminderTexts);
  return to.sent_at !== null ? (
    <span className="text-live">
      <DateTime at={to.sent_at} />
      <span className="block text-12">{to.sent_by ?? r.automatic}</span>
    </span>
  ) : to.blocked === null ? (
    <span className="text-text-2">{t.waiting}</span>
  ) : (
    r.blocks[to.blocked]
  );
}

/** What went out, by message and by mail. */
function Sent() {
  const t = useTexts(receivablesTexts);
  const { offset = '0' } = useSearch({ from: '/shell/tahsilat/hatirlatmalar' });
  const navigate = useNavigate({ from: '/tahsilat/hatirlatmalar' });
  const sent = useQuery({
    queryKey: ['receivables', 'reminders', 'sent', offset],
    queryFn: ({ signal }) => callPage('GET receivables/reminders/sent', { query: { limit: LIMIT, offset }, signal }),
    placeholderData: keepPreviousData,
  });
  const onMove = (to: number) => navigate({ search: { offset: to === 0 ? undefined : String(to) } });
  const columns = useSentColumns();
  return (
    <div className="mt-6">
      <h2 className="m-0 mb-2 text-14 font-semibold">{t.remindersSent}</h2>
      <Loaded query={sent} rows={4}>
        {(page) => (
          <Table
            label={t.remindersSent}
            rows={page.items}
            rowKey={({ id }) => id}
            columns={columns}
            empty={
              <ListEmpty pastEnd={offset !== '0' && { title: t.lastPage, toFirst: () => onMove(0) }}>
                <EmptyState title={t.noReminders} />
              </ListEmpty>
            }
            footer={(page.hasMore || page.offset > 0) && <Pagination page={page} onMove={onMove} />}
          />
        )}
      </Loaded>
    </div>
  );
}

function useSentColumns(): readonly Column<ReminderLine>[] {
  const t = useTexts(receivablesTexts);
  const r = useTexts(reminderTexts);
  const dayWords = useDayWords();
  return [
    {
      id: 'recipient',
      head: t.recipient,
      onCard: 'title',
      cell: ({ recipient, recipient_role }) => (
        <>
          <span className="font-medium">{recipient}</span>
          {recipient_role === 'Kefil' && <span className="text-12 text-text-2"> · {r.roles.Kefil}</span>}
        </>
      ),
    },
    {
      id: 'sale',
      head: t.sale,
      cell: ({ sale_id, sale_no }) => (
        <Link to="/satislar/$saleId" params={{ saleId: sale_id }} className="link tabular">
          {sale_no}
        </Link>
      ),
    },
    {
      id: 'due',
      head: t.due,
      cell: ({ due_date, day }) => (
        <span>
          <Day day={due_date} />
          <span className="block text-12 text-text-2">{dayWords(day)}</span>
        </span>
      ),
    },
    { id: 'amount', head: t.remaining, align: 'end', cell: (line) => <Money amount={line.amount} currency={line.currency} /> },
    { id: 'channel', head: t.channel, cell: ({ channel }) => r.channels[channel] },
    {
      id: 'sent',
      head: t.sentAt,
      cell: ({ sent_at, sent_by }) => (
        <span>
          <DateTime at={sent_at} />
          <span className="block text-12 text-text-2">{sent_by ?? r.automatic}</span>
        </span>
      ),
    },
  ];
}
