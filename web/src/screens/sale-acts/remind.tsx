// «Hatırlat»: everyone who may be reminded of an installment, with the message each would get, and what went out before.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Dialog } from '../../parts/overlay/dialog.tsx';
import { ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { reminderTexts } from '../../records/sales/reminder-texts.ts';
import { type ReminderRow, WhatsApp } from '../../records/sales/reminders.tsx';
import { saleTexts } from '../../records/sales/sale-texts.ts';

/** Of an installment that is named, else of the oldest one that is open. */
export const saleRemindersQuery = (saleId: string, installmentId?: string) =>
  queryOptions({
    queryKey: ['sale-reminders', saleId, installmentId ?? null],
    queryFn: ({ signal }) =>
      call('GET sales/{sale_id}/reminders', {
        params: { sale_id: saleId },
        query: installmentId === undefined ? {} : { installment_id: installmentId },
        signal,
      }),
  });

interface RemindProps {
  readonly saleId: string;
  readonly installmentId?: string | undefined;
  readonly onClose: () => void;
}

export function Remind({ saleId, installmentId, onClose }: RemindProps) {
  const t = useTexts(reminderTexts);
  const s = useTexts(saleTexts);
  const reminders = useQuery(saleRemindersQuery(saleId, installmentId));
  const row = reminders.data?.row ?? null;
  const name = row === null ? null : row.row_no === 0 ? t.down : s.rowOf(row.row_no, row.row_count);
  return (
    <Dialog open onClose={onClose} title={name === null ? t.remind : t.remindTitle(name)} description={t.remindText}>
      {reminders.isPending ? (
        <Skeleton className="h-40 w-full" />
      ) : reminders.isError ? (
        <ErrorState error={reminders.error} onRetry={reminders.refetch} />
      ) : row === null ? (
        <p className="m-0 pb-3 text-text-2">{t.nothing}</p>
      ) : (
        <People row={row} />
      )}
    </Dialog>
  );
}

function People({ row }: { readonly row: ReminderRow }) {
  const t = useTexts(reminderTexts);
  return (
    <ul className="m-0 list-none divide-y divide-line p-0 pb-2">
      {row.recipients.map((to) => (
        <li key={to.id} className="py-3 first:pt-0">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <span className="min-w-0 wrap-anywhere">
              <span className="font-medium">{to.name}</span> <span className="text-13 text-text-2">{t.roles[to.role]}</span>
            </span>
            <WhatsApp row={row} to={to} />
          </div>
          {to.blocked !== null && <p className="m-0 mt-1 text-13 font-medium">{t.blocks[to.blocked]}</p>}
          <p className="m-0 mt-2 rounded-control bg-subtle p-2 text-13 wrap-anywhere text-text-2">{to.text}</p>
        </li>
      ))}
    </ul>
  );
}
