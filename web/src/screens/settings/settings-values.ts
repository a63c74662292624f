// The account's settings as the values of their form, and the body that it sends.
import type { Reminder } from '../../../../src/domain/accounts/accounts-states.ts';
import type { SettingsView } from '../../../../src/panel/account/settings.ts';
import type { RawBody } from '../../endpoints.ts';
import { filled, picked } from '../../parts/form/form-body.ts';
import { isSame } from '../../parts/form/form-state.ts';

const TEXT_FIELDS = [
  'name',
  'legal_name',
  'address',
  'tax_office',
  'tax_no',
  'city',
  'phone',
  'email',
  'default_currency',
  'timezone',
  'rate_source',
  'locale',
  'reservation_days',
  'offer_valid_hours',
  'document_valid_days',
  'upcoming_days',
  'overdue_grace_days',
  'document_retention_years',
  'sales_expense_limit',
] as const;
export type TextSetting = (typeof TEXT_FIELDS)[number];
export const SETTING_FIELDS = [...TEXT_FIELDS, 'reminders'] as const;
export type SettingField = (typeof SETTING_FIELDS)[number];

/** A rule as it is typed: how many days, and on which side of the due date. */
export interface TypedRule {
  readonly days: string;
  readonly side: 'before' | 'after';
  readonly channel: Reminder['channel'];
  readonly active: boolean;
}

/** Numbers are text, because they may be half typed. */
export type Draft = Readonly<Record<TextSetting, string>> & { readonly reminders: readonly TypedRule[] };

export const draftOf = (settings: SettingsView): Draft => ({
  ...(Object.fromEntries(TEXT_FIELDS.map((field) => [field, String(settings[field] ?? '')])) as Record<TextSetting, string>),
  reminders: settings.reminders.map(({ day, channel, active }) => ({
    days: String(Math.abs(day)),
    side: day < 0 ? 'before' : 'after',
    channel,
    active,
  })),
});

export const changedSettings = (draft: Draft, stored: Draft): readonly SettingField[] => [
  ...TEXT_FIELDS.filter((field) => draft[field].trim() !== stored[field]),
  ...(isSame(draft.reminders, stored.reminders) ? [] : (['reminders'] as const)),
];

const textOrNull = (typed: string): string | null => filled(typed) ?? null;
const numberOrNull = (typed: string): number | null => filled(typed, Number) ?? null;

/** The changed settings. */
export const settingsBody = (draft: Draft, changed: readonly SettingField[]): RawBody<'PATCH settings'> =>
  picked(allSettings(draft), changed) as RawBody<'PATCH settings'>;

/** An empty field becomes null. The server refuses that where a setting cannot be empty, and the message is shown at the field. */
const allSettings = (draft: Draft) =>
  ({
    name: textOrNull(draft.name),
    legal_name: textOrNull(draft.legal_name),
    address: textOrNull(draft.address),
    tax_office: textOrNull(draft.tax_office),
    tax_no: textOrNull(draft.tax_no),
    city: textOrNull(draft.city),
    phone: textOrNull(draft.phone),
    email: textOrNull(draft.email),
    default_currency: textOrNull(draft.default_currency),
    timezone: textOrNull(draft.timezone),
    rate_source: textOrNull(draft.rate_source),
    locale: textOrNull(draft.locale),
    reservation_days: numberOrNull(draft.reservation_days),
    offer_valid_hours: numberOrNull(draft.offer_valid_hours),
    document_valid_days: numberOrNull(draft.document_valid_days),
    upcoming_days: numberOrNull(draft.upcoming_days),
    overdue_grace_days: numberOrNull(draft.overdue_grace_days),
    document_retention_years: numberOrNull(draft.document_retention_years),
    sales_expense_limit: numberOrNull(draft.sales_expense_limit),
    reminders: draft.reminders.map(({ days, side, channel, active }) => ({
      // Days that are not typed yet are sent as they are, and the server's error is shown.
      day: days === '' ? days : side === 'before' ? -Number(days) : Number(days),
      channel,
      active,
    })),
  }) satisfies Nullable<RawBody<'PATCH settings'>>;

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };
