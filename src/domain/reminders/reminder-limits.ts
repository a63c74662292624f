// When reminders are not allowed: the limits on collection messages, the same for a message by hand and for a mail.
import type { Text } from '../../kit/errors.ts';
import { END_HOUR, FIRST_HOUR, type ReminderBlock } from './reminders-states.ts';

export interface Limited {
  /** Something remains to be paid, and the sale is «Aktif». */
  readonly is_open: boolean;
  readonly opted_out: boolean;
  readonly legal_stage: string;
  /** Days after the due date; before it they are negative. */
  readonly day: number;
}

/** Why a reminder of an installment is not allowed at any hour; null if it is allowed. */
export function reminderBlock({ is_open, opted_out, legal_stage, day }: Limited, graceDays: number): ReminderBlock | null {
  if (!is_open) return 'paid';
  if (opted_out) return 'opted_out';
  if (legal_stage !== 'Yok') return 'legal_stage';
  return day > 0 && day <= graceDays ? 'in_grace' : null;
}

export function isReminderHour(now: Date, timezone: string): boolean {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit', hourCycle: 'h23' });
  const hour = Number(format.format(now));
  return hour >= FIRST_HOUR && hour < END_HOUR;
}

export const BLOCK_REASONS: Readonly<Record<ReminderBlock, Text>> = {
  paid: { en: 'nothing is left to pay on this installment', tr: 'bu taksitte ödenecek tutar kalmadı' },
  opted_out: { en: 'the customer wants no reminders', tr: 'müşteri hatırlatma istemiyor' },
  legal_stage: { en: 'the sale is with the lawyers', tr: 'satış hukuki süreçte' },
  in_grace: { en: 'the installment is within its grace period', tr: 'taksit hoşgörü süresi içinde' },
  sent: { en: 'this person was reminded today', tr: 'bu kişiye bugün hatırlatıldı' },
  hours: {
    en: `reminders go out from ${FIRST_HOUR}:00 to ${END_HOUR}:00`,
    tr: `hatırlatmalar 0${FIRST_HOUR}.00–${END_HOUR}.00 arasında gönderilir`,
  },
};
