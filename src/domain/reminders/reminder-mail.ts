// Reminders by mail. A reminder is queued on its day for every recipient and checked again when it is sent: it is not sent if the
// installment has been paid, the rule is switched off or it is past eight in the evening.
import { dayIn } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { daysBetween } from '../clock/days.ts';
import { type Mail, mailId } from '../mail/mail-queue.ts';
import {
  factsOf,
  findDueInstallments,
  type Recipient,
  type RemindableInstallment,
  type ReminderSettings,
  readReminderSettings,
} from './reminder.ts';
import { isReminderHour } from './reminder-limits.ts';
import { mailText } from './reminder-text.ts';

/** One day of one installment for one person. */
export interface ReminderKey {
  readonly installment_id: string;
  readonly due_date: string;
  readonly day: number;
  readonly recipient_id: string;
}

export interface DueMail {
  readonly key: ReminderKey;
  readonly mail: Mail;
  readonly installment: RemindableInstallment;
  readonly to: Recipient;
  readonly settings: ReminderSettings;
}

/** Unsent mails whose day and hour have come. `only`: for this installment. */
export async function readDueMails(db: Db, now: Date, only?: string): Promise<DueMail[]> {
  const settings = await readReminderSettings(db);
  if (!settings.may_mail || !isReminderHour(now, settings.timezone)) return [];
  const today = dayIn(now, settings.timezone);
  const installments = await findDueInstallments(db, 'E-posta', settings, today, only);
  return installments.flatMap((installment) => reachable(installment).map((to) => dueMail(installment, to, settings, today)));
}

/** Each address once, and only people who have not been reminded for this day. */
function reachable(installment: RemindableInstallment): Recipient[] {
  const sent = new Set(installment.sent.filter(({ channel }) => channel === 'E-posta').map(({ recipient_id }) => recipient_id));
  const addresses = installment.recipients.map(({ email }) => email?.toLowerCase() ?? null);
  return installment.recipients.filter(
    ({ id }, place) => addresses[place] !== null && addresses.indexOf(addresses[place]!) === place && !sent.has(id),
  );
}

function dueMail(installment: RemindableInstallment, to: Recipient, settings: ReminderSettings, today: string): DueMail {
  const { installment_id, due_date } = installment;
  const words = mailText(factsOf(installment, to, settings, today), settings.locale, settings.phone);
  return {
    key: { installment_id, due_date, day: daysBetween(due_date, today), recipient_id: to.id },
    mail: { ...words, to: to.email!, fromName: settings.name, ...(settings.email === null ? {} : { replyTo: settings.email }) },
    installment,
    to,
    settings,
  };
}

export const mailIdOf = (dataSet: string, { installment_id, due_date, day, recipient_id }: ReminderKey): string =>
  mailId([dataSet, installment_id, due_date, day, recipient_id]);

/** Null if it is no longer due. */
export async function readDueMail(db: Db, key: ReminderKey, now: Date): Promise<DueMail | null> {
  const due = await readDueMails(db, now, key.installment_id);
  return due.find((one) => JSON.stringify(one.key) === JSON.stringify(key)) ?? null;
}
