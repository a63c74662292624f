import { useQuery } from '@tanstack/react-query';
import { AtSign, MessageCircle } from 'lucide-react';
import type { ReminderLine } from '../../../../src/domain/reminders/reminder-log.ts';
import { useTexts } from '../../language.ts';
import { ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { DateTime, Day } from '../../parts/values.tsx';
import { reminderTexts } from '../../records/sales/reminder-texts.ts';
import { useDayWords } from '../../records/sales/reminders.tsx';
import { saleRemindersQuery } from '../sale-acts/remind.tsx';

/** What went out about this sale: when, to whom, by whom. */
export function SaleReminders({ saleId }: { readonly saleId: string }) {
  const t = useTexts(reminderTexts);
  const reminders = useQuery(saleRemindersQuery(saleId));
  return (
    <section className="card min-w-0 p-4" aria-label={t.log}>
      <h2 className="m-0 mb-2 text-14 font-semibold">{t.log}</h2>
      {reminders.isPending ? (
        <Skeleton className="h-10 w-full" />
      ) : reminders.isError ? (
        <ErrorState error={reminders.error} onRetry={reminders.refetch} />
      ) : reminders.data.sent.length === 0 ? (
        <p className="m-0 text-text-2">{t.noLog}</p>
      ) : (
        <ul className="m-0 list-none divide-y divide-line p-0">
          {reminders.data.sent.map((line) => (
            <Line key={line.id} line={line} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Line({ line }: { readonly line: ReminderLine }) {
  const t = useTexts(reminderTexts);
  const dayWords = useDayWords();
  const Icon = line.channel === 'WhatsApp' ? MessageCircle : AtSign;
  return (
    <li className="flex gap-2 py-2 first:pt-0 last:pb-0">
      <Icon role="img" aria-label={t.channels[line.channel]} className="mt-0.5 size-4 shrink-0 text-text-2" />
      <div className="min-w-0">
        <p className="m-0 wrap-anywhere">
          <span className="font-medium">{line.recipient}</span>
          {line.recipient_role === 'Kefil' && <span className="text-text-2"> · {t.roles.Kefil}</span>}
        </p>
        <p className="m-0 text-12 text-text-2">
          <Day day={line.due_date} /> · {dayWords(line.day)}
        </p>
        <p className="m-0 text-12 text-text-2">
          <DateTime at={line.sent_at} /> · {line.sent_by ?? t.automatic}
        </p>
      </div>
    </li>
  );
}
