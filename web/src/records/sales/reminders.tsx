// Reminding someone of a payment: a WhatsApp message with its text filled in, which a person sends, or the reason why not.
import { useQueryClient } from '@tanstack/react-query';
import { MessageCircle } from 'lucide-react';
import { useState } from 'react';
import type { ReminderRow, ReminderTarget } from '../../../../src/domain/reminders/reminder.ts';
import { FIRST_HOUR } from '../../../../src/domain/reminders/reminders-states.ts';
import { ApiError, call } from '../../api.ts';
import { businessNow } from '../../clock.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Button, buttonLook, IconButton } from '../../parts/button.tsx';
import { useWrite } from '../../parts/form/form-write.ts';
import { OutsideLink } from '../../parts/outside-link.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Tooltip } from '../../parts/overlay/tooltip.tsx';
import { useMay } from '../../permissions.ts';
import { useSession } from '../../session.ts';
import { dayAhead, dueToSend } from '../due.ts';
import { reminderTexts } from './reminder-texts.ts';
import { useSalesChanged } from './sales.ts';

export type { ReminderRow, ReminderTarget };

/** «vadeden 3 gün önce» */
export function useDayWords(): (day: number) => string {
  const t = useTexts(reminderTexts);
  return (day) => (day === 0 ? t.onDay : day < 0 ? t.before(-day) : t.after(day));
}

interface WhatsAppProps {
  readonly row: Pick<ReminderRow, 'installment_id' | 'customer_id' | 'plate'>;
  readonly to: ReminderTarget;
  /** An icon alone, as on a card. */
  readonly icon?: boolean;
}

/** A link that looks like the icon buttons beside it. */
const ICON =
  'inline-grid size-[var(--control)] place-items-center rounded-control text-text-2 transition-colors hover:bg-soon-bg hover:text-text';

/** Where no reminder is allowed, the button still works and shows the reason beside it. */
export function WhatsApp({ row, to, icon = false }: WhatsAppProps) {
  const t = useTexts(reminderTexts);
  const note = useNoted(row.installment_id, to.id);
  const [isReasonShown, setReasonShown] = useState(false);
  if (to.blocked !== null) {
    const why = t.blocks[to.blocked];
    const shared = { 'data-key': 'w', 'aria-expanded': isReasonShown, onClick: () => setReasonShown(!isReasonShown) };
    return (
      <>
        {icon ? (
          <IconButton label={`${t.whatsapp}: ${why}`} icon={MessageCircle} className="text-text-3" {...shared} />
        ) : (
          <Button icon={MessageCircle} aria-label={`${t.to(to.name)}: ${why}`} className="text-text-3" {...shared}>
            {t.whatsapp}
          </Button>
        )}
        {isReasonShown && <Reason row={row} to={to} why={why} />}
      </>
    );
  }
  // In a sandbox the message stays there, so nothing is opened.
  if (to.is_sandbox)
    return icon ? (
      <IconButton label={t.to(to.name)} icon={MessageCircle} data-key="w" onClick={note} />
    ) : (
      <Button icon={MessageCircle} aria-label={t.to(to.name)} data-key="w" onClick={note}>
        {t.whatsapp}
      </Button>
    );
  const link = (
    <OutsideLink
      to={{ phone: to.phone, message: to.text }}
      inSandbox="nothing"
      data-key="w"
      aria-keyshortcuts="w"
      aria-label={t.to(to.name)}
      onClick={note}
      className={icon ? ICON : buttonLook()}
    >
      <MessageCircle aria-hidden className="size-4 shrink-0" />
      {!icon && t.whatsapp}
    </OutsideLink>
  );
  return icon ? <Tooltip text={t.whatsapp}>{link}</Tooltip> : link;
}

/** Outside the hours of reminders, a task for the next hour at which one is allowed. */
function Reason({ row, to, why }: Pick<WhatsAppProps, 'row' | 'to'> & { readonly why: string }) {
  const t = useTexts(reminderTexts);
  const { account } = useSession();
  const client = useQueryClient();
  const mayPlan = useMay('tasks:write') && to.blocked === 'hours';
  const zone = account?.timezone ?? 'Europe/Istanbul';
  const [at, isToday] = nextHour(zone);
  const plan = useWrite({
    send: (body: RawBody<'POST v1/tasks'>, headers) => call('POST v1/tasks', { rawBody: body, headers }),
    onDone: () => {
      notify({ title: t.planned(to.name) });
      return client.invalidateQueries({ queryKey: ['tasks'] });
    },
  });
  const body = {
    title: t.planTitle(to.name, row.plate),
    due_at: at,
    customer_id: row.customer_id,
    ...(account?.member_id ? { assignee_id: account.member_id } : {}),
  };
  return (
    <span
      role="status"
      className="flex basis-full flex-wrap items-center gap-2 rounded-control bg-subtle p-2 text-12 whitespace-normal"
    >
      <span className="min-w-0">{plan.isSuccess ? t.planned(to.name) : why}</span>
      {mayPlan && !plan.isSuccess && (
        <Button busy={plan.isPending} onClick={() => plan.run(body)}>
          {isToday ? t.planToday : t.planTomorrow}
        </Button>
      )}
      {plan.error && <span className="text-dest">{plan.error.message}</span>}
    </span>
  );
}

/** The next time at which reminders begin, and whether it is today. */
function nextHour(zone: string): readonly [at: string, isToday: boolean] {
  const time = `${String(FIRST_HOUR).padStart(2, '0')}:00`;
  const today = dueToSend({ day: dayAhead(0, zone), time }, zone)!;
  return Date.parse(today) > businessNow().getTime()
    ? [today, true]
    : [dueToSend({ day: dayAhead(1, zone), time }, zone)!, false];
}

/** The message is open by then; where it was no longer allowed, the person learns it before sending. */
function useNoted(installmentId: string, recipientId: string): () => void {
  const t = useTexts(reminderTexts);
  const changed = useSalesChanged();
  return () => {
    call('POST installments/{installment_id}/reminders', {
      params: { installment_id: installmentId },
      body: { recipient_id: recipientId },
    })
      .then(() => notify({ title: t.noted }))
      .catch((error: unknown) =>
        notify({ title: t.notAllowed, text: error instanceof ApiError ? error.message : '', failed: true }),
      )
      .finally(changed);
  };
}
