// A dealer's own settings: columns of the account that its owner changes in the panel. With the tenant role, so that the data
// version rises and the API shows the change at once.
import type { Db } from '../../kit/db.ts';
import type { Locale } from '../../kit/errors.ts';
import type { Currency } from '../../kit/money.ts';
import { own, sql } from '../../kit/sql.ts';
import { RATE_SOURCES, type RateSource } from '../exchange-rates/rates.ts';
import {
  currencyField,
  type Field,
  type Fields,
  flagField,
  integerField,
  listField,
  nullable,
  objectField,
  oneOfField,
  Refused,
  required,
  textField,
  type Values,
} from '../records/fields.ts';
import { emailField, phoneField } from '../records/person-fields.ts';
import {
  type Columns,
  changedColumns,
  columnList,
  columnsOfValues,
  replacedBy,
  shownColumns,
  updateAccount,
} from '../records/record.ts';
import { type Actor, audit } from '../writes/audit.ts';
import { setNextTransition, type TimedTransition } from '../writes/timed-transition.ts';
import type { Country } from './accounts.ts';
import { FIRST_REMINDER_DAY, LAST_REMINDER_DAY, MAX_REMINDERS, REMINDER_CHANNELS, type Reminder } from './accounts-states.ts';

/**
 * A time zone of the IANA database in its own spelling, known to both Node and PostgreSQL; offsets such as +03:00 are refused.
 */
export function normalTimeZone(text: string): string | null {
  if (!/^[A-Za-z]+(?:\/[A-Za-z0-9_+-]+)*$/.test(text)) return null;
  try {
    // The canonical name may be an older one (Europe/Nicosia becomes Asia/Nicosia), so the chosen name is stored.
    new Intl.DateTimeFormat('en', { timeZone: text });
    return text;
  } catch {
    return null;
  }
}

const ruleField = objectField({
  day: required(integerField(FIRST_REMINDER_DAY, LAST_REMINDER_DAY)),
  channel: required(oneOfField(REMINDER_CHANNELS)),
  active: required(flagField),
});
const rulesField = listField(ruleField, MAX_REMINDERS);

/** When a customer is reminded of a due installment: days after its due date, each day once for a channel; earliest first. */
const remindersField: Field<Reminder[]> = {
  ...rulesField,
  stored: 'json',
  read: (value, context) => {
    const rules = rulesField.read(value, context) as Reminder[] | Refused;
    if (rules instanceof Refused) return rules;
    const twice = rules.findIndex(({ day, channel }, index) =>
      rules.slice(0, index).some((other) => other.day === day && other.channel === channel),
    );
    if (twice >= 0) return new Refused('duplicate', ONCE_FOR_A_CHANNEL, `[${twice}].day`);
    const ordered = rules.toSorted((one, other) => one.day - other.day || (one.channel < other.channel ? -1 : 1));
    return ordered.map(({ day, channel, active }) => ({ day, channel, active }));
  },
};

const ONCE_FOR_A_CHANNEL = {
  en: 'different from the other days of the same channel',
  tr: 'aynı kanaldaki öncekilerden farklı bir gün',
};

export const SETTING_FIELDS = {
  name: textField(120),
  legal_name: nullable(textField(200)),
  address: nullable(textField(300)),
  tax_office: nullable(textField(100)),
  tax_no: nullable(textField(20)),
  city: nullable(textField(60)),
  phone: nullable(phoneField),
  email: nullable(emailField),
  default_currency: currencyField,
  timezone: textField(60, {
    tidy: normalTimeZone,
    allowed: { en: 'a time zone such as Europe/Istanbul', tr: 'Europe/Istanbul gibi bir saat dilimi' },
  }),
  rate_source: oneOfField(RATE_SOURCES),
  reservation_days: integerField(1, 90),
  offer_valid_hours: integerField(1, 336),
  document_valid_days: integerField(1, 365),
  upcoming_days: integerField(1, 365),
  overdue_grace_days: integerField(0, 15),
  document_retention_years: integerField(1, 30),
  sales_expense_limit: integerField(0, 10_000_000),
  reminders: remindersField,
  locale: oneOfField(['tr', 'en']),
} as const satisfies Fields;

/** The settings as the panel shows them. Only the platform's administrator can set the last four. */
export interface Settings {
  readonly id: string;
  readonly name: string;
  readonly legal_name: string | null;
  readonly address: string | null;
  readonly tax_office: string | null;
  readonly tax_no: string | null;
  readonly city: string | null;
  readonly country: Country;
  readonly phone: string | null;
  readonly email: string | null;
  readonly default_currency: Currency;
  readonly timezone: string;
  readonly rate_source: RateSource;
  readonly reservation_days: number;
  readonly offer_valid_hours: number;
  readonly document_valid_days: number;
  readonly upcoming_days: number;
  readonly overdue_grace_days: number;
  readonly document_retention_years: number;
  /** Largest expense of an own car that a salesperson may enter, in whole units of the default currency; 0: none. */
  readonly sales_expense_limit: number;
  readonly reminders: readonly Reminder[];
  readonly locale: Locale;
  readonly status: 'Aktif' | 'Askıda';
  readonly dealer_network: boolean;
  readonly marketplace: boolean;
  readonly live_auctions: boolean;
  readonly import: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

const RETURNED_FIELDS = [
  ...Object.keys(SETTING_FIELDS).filter((name) => name !== 'reminders'),
  'id',
  'country',
  'status',
  'dealer_network',
  'marketplace',
  'live_auctions',
  'import',
];

export const readSettings = (db: Db): Promise<Settings> =>
  db.one<Settings>(sql`select ${columnList(RETURNED_FIELDS)}, reminders::json as reminders, utc_text(created_at) as created_at,
    utc_text(updated_at) as updated_at from ${own('accounts')}`);

/** `transitions`: all timed transitions, whose times are computed again when the account's time zone changes. */
export async function changeSettings(
  db: Db,
  body: Values<typeof SETTING_FIELDS>,
  { actor, now, transitions }: { actor: Actor; now: Date; transitions: readonly TimedTransition[] },
): Promise<Settings> {
  const names = Object.keys(SETTING_FIELDS);
  const stored = await db.one<Columns & { readonly id: string }>(
    sql`select id, ${columnList(names)} from ${own('accounts')} for no key update`,
  );
  const changed = changedColumns(stored, columnsOfValues(SETTING_FIELDS, body));
  if (Object.keys(changed).length > 0) {
    await updateAccount(db, { ...changed, updated_at: now });
    if (body.timezone !== undefined && 'timezone' in changed) await setNextTransition(db, body.timezone, transitions);
    await audit(db, actor, 'account.changed', stored.id, {
      accountId: stored.id,
      before: shownColumns(SETTING_FIELDS, replacedBy(stored, changed)),
      after: shownColumns(SETTING_FIELDS, changed),
    });
  }
  return readSettings(db);
}
