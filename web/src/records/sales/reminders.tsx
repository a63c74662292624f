// Reminding someone of a payment: a WhatsApp message with its text filled in, which a person sends, or the reason why not.
import { MessageCircle } from 'lucide-react';
import type { ReminderRow, ReminderTarget } from '../../../../src/domain/reminders/reminder.ts';
import { ApiError, call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button, buttonLook, IconButton } from '../../parts/button.tsx';
import { OutsideLink } from '../../parts/outside-link.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Tooltip } from '../../parts/overlay/tooltip.tsx';
import { reminderTexts } from './reminder-texts.ts';
import { useSalesChanged } from './sales.ts';

export type { ReminderRow, ReminderTarget };

/** «vadeden 3 gün önce» */
export function useDayWords(): (day: number) => string {
  const t = useTexts(reminderTexts);
  return (day) => (day === 0 ? t.onDay : day < 0 ? t.before(-day) : t.after(day));
}

interface WhatsAppProps {
  readonly row: Pick<ReminderRow, 'installment_id'>;
  readonly to: ReminderTarget;
  /** An icon alone, as on a card. */
  readonly icon?: boolean;
}

/** A link that looks like the icon buttons beside it. */
const ICON =
  'inline-grid size-[var(--control)] place-items-center rounded-control text-text-2 transition-colors hover:bg-soon-bg hover:text-text';

/** Where no reminder is allowed, the button still works and shows the reason. */
export function WhatsApp({ row, to, icon = false }: WhatsAppProps) {
  const t = useTexts(reminderTexts);
  const note = useNoted(row.installment_id, to.id);
  if (to.blocked !== null) {
    const why = t.blocks[to.blocked];
    const shared = {
      'aria-disabled': true,
      'data-key': 'w',
      onClick: () => notify({ title: t.notAllowed, text: why, failed: true }),
    };
    return icon ? (
      <IconButton label={`${t.whatsapp}: ${why}`} icon={MessageCircle} className="opacity-55" {...shared} />
    ) : (
      <Button icon={MessageCircle} aria-label={`${t.to(to.name)}: ${why}`} {...shared}>
        {t.whatsapp}
      </Button>
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
