// Sent reminders: recording one, once, with its entry in the customer's activity, and reading the log.
import type { Db } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Currency } from '../../kit/money.ts';
import type { Paging } from '../../kit/page.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import type { Reminder as Rule } from '../accounts/accounts-states.ts';
import { daysBetween } from '../clock/days.ts';
import { logMailReminder, logReminder } from '../customers/activity.ts';
import { dropMessage } from '../worlds/messages.ts';
import {
  blockFor,
  factsOf,
  findInstallments,
  type Recipient,
  type RemindableInstallment,
  type ReminderSettings,
  readReminderSettings,
} from './reminder.ts';
import { BLOCK_REASONS } from './reminder-limits.ts';
import type { DueMail } from './reminder-mail.ts';
import { messageText } from './reminder-text.ts';
import type { RecipientRole } from './reminders-states.ts';

/** False if it was recorded before. */
async function keep(
  work: Work,
  installment: RemindableInstallment,
  to: Recipient,
  channel: Rule['channel'],
  staffId: string | null,
): Promise<boolean> {
  const { db, now, today } = work;
  const { installment_id, sale_id, customer_id, seq, due_date, amount, currency } = installment;
  const kept =
    await db.exec(sql`insert into sent_reminders (account_id, id, installment_id, sale_id, customer_id, seq, due_date, day, channel,
      recipient_role, recipient_id, amount_minor, currency, staff_id, sent_at)
    values (${theAccount}, ${newId(now.getTime())}, ${installment_id}, ${sale_id}, ${customer_id}, ${seq}, ${due_date},
      ${daysBetween(due_date, today)}, ${channel}, ${to.role}, ${to.id}, ${amount}, ${currency}, ${staffId}, ${now})
    on conflict do nothing`);
  return kept === 1;
}

/** A person opened the message in WhatsApp, because of a rule or on their own initiative. */
export async function logWhatsApp(
  work: Work,
  installmentId: string,
  { recipient_id, staff_id }: { readonly recipient_id: string; readonly staff_id: string | null },
): Promise<{ readonly sent_at: string }> {
  const { db, now, today, account } = work;
  const settings = await readReminderSettings(db);
  const [installment] = await findInstallments(db, sql`id = ${installmentId}`, today);
  if (installment === undefined) return fail('not_found');
  const to = installment.recipients.find(({ id }) => id === recipient_id);
  if (to === undefined) return fail('unknown_reference', { words: { field: 'recipient_id' } });
  const blocked = blockFor(installment, to, settings, { now, timezone: account.timezone });
  if (blocked !== null) fail('reminder_not_allowed', { words: { reason: BLOCK_REASONS[blocked] } });
  if (!(await keep(work, installment, to, 'WhatsApp', staff_id)))
    fail('reminder_not_allowed', { words: { reason: BLOCK_REASONS.sent } });
  const note = messageText(factsOf(installment, to, settings, today), settings.locale);
  await logReminder(work, installment.customer_id, { note, staff_id, installment_id: installmentId });
  if (settings.is_sandbox)
    await dropMessage(db, work.keys, { channel: 'WhatsApp', to: to.phone, text: note, about: aboutOf(installment) }, now);
  return { sent_at: now.toISOString() };
}

/** The mail server has accepted the mail. False if it was recorded before. */
export async function logMail(
  work: Work,
  installment: RemindableInstallment,
  to: Recipient,
  settings: ReminderSettings,
): Promise<boolean> {
  if (!(await keep(work, installment, to, 'E-posta', null))) return false;
  const note = messageText(factsOf(installment, to, settings, work.today), settings.locale);
  logMailReminder(work, installment.customer_id, { note, installment_id: installment.installment_id });
  return true;
}

const aboutOf = ({ installment_id }: RemindableInstallment) => ({ kind: 'installment', id: installment_id });

/** In a world, where no mail server is asked. False if it was recorded before. */
export async function dropReminder(work: Work, { installment, to, mail, settings }: DueMail): Promise<boolean> {
  if (!(await logMail(work, installment, to, settings))) return false;
  await dropMessage(work.db, work.keys, { channel: 'E-posta', ...mail, about: aboutOf(installment) }, work.now);
  return true;
}

export interface ReminderLine {
  readonly id: string;
  readonly installment_id: string;
  readonly sale_id: string;
  readonly sale_no: string;
  readonly seq: number;
  readonly due_date: string;
  readonly day: number;
  readonly channel: Rule['channel'];
  readonly recipient_role: RecipientRole;
  readonly recipient: string;
  readonly amount: string;
  readonly currency: Currency;
  readonly sent_at: string;
  readonly sent_by: string | null;
}

/** Newest first; one more than the page size if there is a next page. */
export const listReminders = (
  db: Db,
  { sale_id, limit, offset }: Pick<Paging, 'limit' | 'offset'> & { readonly sale_id?: string | undefined },
): Promise<ReminderLine[]> =>
  db.rows<ReminderLine>(sql`select id, installment_id, sale_id, (select sale_no from ${own('sales')} where sales.id = sale_id) as sale_no, seq, due_date,
      day, channel, recipient_role, money_text(amount_minor) as amount, currency, utc_text(sent_at) as sent_at,
      case recipient_role when 'Kefil' then (select first_name || ' ' || last_name from ${own('guarantors')} where guarantors.id = recipient_id)
        else (select coalesce(company_name, first_name || ' ' || last_name) from ${own('customers')} where customers.id = recipient_id) end as recipient,
      (select full_name from ${own('members')} where members.id = staff_id) as sent_by
    from ${own('sent_reminders')} where ${sale_id ?? null}::uuid is null or sale_id = ${sale_id ?? null}::uuid
    order by sent_reminders.sent_at desc, id desc limit ${limit + 1} offset ${offset}`);
