// Installments with everyone who may be reminded of them, the text for each person, and the reason if a reminder is not allowed.
import { dayIn } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import type { Locale } from '../../kit/errors.ts';
import { type Currency, formatMoney } from '../../kit/money.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';
import type { Reminder as Rule } from '../accounts/accounts-states.ts';
import { addDays, daysBetween } from '../clock/days.ts';
import { IS_OPEN, placeOf } from '../sales/installment.ts';
import { isReminderHour, reminderBlock } from './reminder-limits.ts';
import { messageText, type ReminderFacts } from './reminder-text.ts';
import type { RecipientRole, ReminderBlock } from './reminders-states.ts';

export interface ReminderSettings {
  readonly name: string;
  readonly phone: string | null;
  readonly email: string | null;
  readonly locale: Locale;
  readonly timezone: string;
  readonly grace: number;
  readonly rules: readonly Rule[];
  /** Mail is sent for a real dealer who is not suspended. */
  readonly may_mail: boolean;
  /** In a world: messages stay there. */
  readonly is_sandbox: boolean;
}

export const readReminderSettings = (db: Db): Promise<ReminderSettings> =>
  db.one<ReminderSettings>(sql`select name, phone, email, locale, timezone, overdue_grace_days as grace, reminders::json as rules,
    (status = 'Aktif' and (not is_demo or world_id is not null)) as may_mail, world_id is not null as is_sandbox from ${own('accounts')}`);

export interface Recipient {
  readonly id: string;
  readonly role: RecipientRole;
  readonly name: string;
  readonly phone: string;
  readonly email: string | null;
}

/** A reminder that was sent today. */
interface SentToday {
  readonly recipient_id: string;
  readonly channel: Rule['channel'];
  readonly due_date: string;
  readonly day: number;
  readonly sent_at: string;
  readonly sent_by: string | null;
}

export interface RemindableInstallment {
  readonly installment_id: string;
  readonly sale_id: string;
  readonly sale_no: string;
  readonly customer_id: string;
  readonly plate: string;
  readonly seq: number;
  /** Its position among the installments that belong to the plan now; 0 for a down payment. */
  readonly row_no: number;
  readonly row_count: number;
  readonly due_date: string;
  readonly amount: bigint;
  readonly currency: Currency;
  readonly is_open: boolean;
  readonly opted_out: boolean;
  readonly legal_stage: string;
  /** The customer's promise for today. */
  readonly promised: bigint | null;
  /** The customer first. */
  readonly recipients: readonly Recipient[];
  readonly sent: readonly SentToday[];
}

const CUSTOMER_NAME = sql`coalesce(company_name, first_name || ' ' || last_name)`;

/** `where`: a condition on installments. */
export function findInstallments(db: Db, where: Sql, today: string): Promise<RemindableInstallment[]> {
  const asCustomer = sql`json_build_object('id', id, 'role', 'Müşteri', 'name', ${CUSTOMER_NAME}, 'phone', phone, 'email', email)`;
  const asGuarantor = sql`json_build_object('id', id, 'role', 'Kefil', 'name', first_name || ' ' || last_name, 'phone', phone, 'email', email)`;
  return db.rows<RemindableInstallment>(sql`select item.id as installment_id, item.sale_id, sale_no, item.customer_id, item.seq, item.due_date,
      ${placeOf(sql`item.seq`, sql`item.sale_id`)} as row_no,
      item.remaining_amount_minor as amount, item.currency, item.is_open, legal_stage,
      (select plate from ${own('vehicles')} where vehicles.id = sale.vehicle_id) as plate,
      (select count(*)::int from ${own('installments')} where installments.sale_id = sale.id and seq > 0 and status <> 'Yapılandırıldı') as row_count,
      (select reminder_opt_out from ${own('customers')} where customers.id = item.customer_id) as opted_out,
      (select amount_minor - fulfilled_amount_minor from ${own('payment_promises')} where payment_promises.sale_id = sale.id
        and payment_promises.status = 'Bekliyor' and promised_date = ${today}::date) as promised,
      (select json_agg(person order by place) from (
        select 0 as place, ${asCustomer} as person from ${own('customers')} where customers.id = item.customer_id
        union all select array_position(sale.guarantor_ids, guarantors.id), ${asGuarantor} from ${own('guarantors')}
        where guarantors.id = any(sale.guarantor_ids) and deleted_at is null) people) as recipients,
      (select coalesce(json_agg(json_build_object('recipient_id', recipient_id, 'channel', channel, 'due_date', due_date, 'day', day,
          'sent_at', utc_text(sent_at), 'sent_by', (select full_name from ${own('members')} where members.id = staff_id))), '[]')
        from ${own('sent_reminders')} where sent_reminders.installment_id = item.id and sent_reminders.due_date = item.due_date
          and sent_reminders.day = ${today}::date - item.due_date) as sent
    from (select *, ${IS_OPEN} as is_open from ${own('installments')} where ${where}) item
    join (select * from ${own('sales')}) sale on sale.id = item.sale_id order by item.due_date, item.id`);
}

export function factsOf(
  installment: RemindableInstallment,
  to: Recipient,
  settings: ReminderSettings,
  today: string,
): ReminderFacts {
  return {
    ...installment,
    role: to.role,
    name: to.name,
    debtor: installment.recipients[0]!.name,
    day: daysBetween(installment.due_date, today),
    dealer: settings.name,
  };
}

/** A person who can be reminded by a message, as the panel shows them. */
export interface ReminderTarget {
  readonly id: string;
  readonly role: RecipientRole;
  readonly name: string;
  readonly phone: string;
  readonly text: string;
  /** In a world WhatsApp is not opened: recording the reminder keeps the message there. */
  readonly is_sandbox: boolean;
  readonly blocked: ReminderBlock | null;
  readonly sent_at: string | null;
  readonly sent_by: string | null;
}

export interface ReminderRow {
  readonly installment_id: string;
  readonly sale_id: string;
  readonly sale_no: string;
  readonly customer_id: string;
  readonly plate: string;
  readonly row_no: number;
  readonly row_count: number;
  readonly due_date: string;
  readonly day: number;
  readonly amount: string;
  readonly currency: Currency;
  readonly recipients: readonly ReminderTarget[];
}

export interface At {
  readonly now: Date;
  readonly timezone: string;
}

export const blockFor = (
  installment: RemindableInstallment,
  to: Recipient,
  settings: ReminderSettings,
  { now, timezone }: At,
): ReminderBlock | null => {
  const day = daysBetween(installment.due_date, dayIn(now, timezone));
  const blocked = reminderBlock({ ...installment, day }, settings.grace);
  if (blocked !== null) return blocked;
  if (installment.sent.some(({ recipient_id, channel }) => recipient_id === to.id && channel === 'WhatsApp')) return 'sent';
  return isReminderHour(now, timezone) ? null : 'hours';
};

function toReminder(installment: RemindableInstallment, settings: ReminderSettings, at: At): ReminderRow {
  const today = dayIn(at.now, at.timezone);
  const { installment_id, sale_id, sale_no, customer_id, plate, row_no, row_count, due_date, currency } = installment;
  return {
    installment_id,
    sale_id,
    sale_no,
    customer_id,
    plate,
    row_no,
    row_count,
    due_date,
    currency,
    day: daysBetween(due_date, today),
    amount: formatMoney(installment.amount),
    recipients: installment.recipients.map((to) => {
      const sent = installment.sent.find(({ recipient_id, channel }) => recipient_id === to.id && channel === 'WhatsApp');
      return {
        id: to.id,
        role: to.role,
        name: to.name,
        phone: to.phone,
        text: messageText(factsOf(installment, to, settings, today), settings.locale),
        is_sandbox: settings.is_sandbox,
        blocked: blockFor(installment, to, settings, at),
        sent_at: sent?.sent_at ?? null,
        sent_by: sent?.sent_by ?? null,
      };
    }),
  };
}

/** Installments with these ids; ids that are not the dealer's are ignored. */
export async function readReminders(db: Db, ids: readonly string[], at: At): Promise<ReminderRow[]> {
  if (ids.length === 0) return [];
  const settings = await readReminderSettings(db);
  const installments = await findInstallments(db, sql`id = any(${ids}::uuid[])`, dayIn(at.now, at.timezone));
  return installments.map((installment) => toReminder(installment, settings, at));
}

/** The named installment of a sale, otherwise its oldest open one; null if nothing is left to pay. */
export async function readInstallmentToRemind(
  db: Db,
  saleId: string,
  installmentId: string | null,
  at: At,
): Promise<ReminderRow | null> {
  await db.one(sql`select id from ${own('sales')} where id = ${saleId}`);
  const [found] = await db.rows<{ id: string }>(sql`select id from ${own('installments')} where sale_id = ${saleId}
      and (id = ${installmentId}::uuid or (${installmentId}::uuid is null and ${IS_OPEN})) order by due_date, seq limit 1`);
  return found === undefined ? null : ((await readReminders(db, [found.id], at))[0] ?? null);
}

/** Installments that an active rule of the channel reminds of today, and for which at most the hour forbids a reminder. */
export async function findDueInstallments(
  db: Db,
  channel: Rule['channel'],
  settings: ReminderSettings,
  today: string,
  only?: string,
): Promise<RemindableInstallment[]> {
  const days = settings.rules.filter((rule) => rule.active && rule.channel === channel).map(({ day }) => addDays(today, -day));
  if (days.length === 0) return [];
  const condition = sql`${IS_OPEN} and due_date = any(${days}::date[]) and (${only ?? null}::uuid is null or id = ${only ?? null}::uuid)`;
  const installments = await findInstallments(db, condition, today);
  return installments.filter(
    (installment) => reminderBlock({ ...installment, day: daysBetween(installment.due_date, today) }, settings.grace) === null,
  );
}

/** Today's list of messages to send by hand, including the sent ones. */
export async function readDueReminders(db: Db, at: At): Promise<ReminderRow[]> {
  const settings = await readReminderSettings(db);
  return (await findDueInstallments(db, 'WhatsApp', settings, dayIn(at.now, at.timezone))).map((installment) =>
    toReminder(installment, settings, at),
  );
}
