// The fields of the account's settings, by section.

import { CircleCheck, CircleSlash } from 'lucide-react';
import { CAPABILITIES } from '../../../../src/domain/accounts/accounts-states.ts';
import type { SettingsView } from '../../../../src/panel/account/settings.ts';
import { useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { Field, NumberInput, Select, TextInput } from '../../parts/input/field.tsx';
import { useSession } from '../../session.ts';
import { FormPart } from './frame.tsx';
import type { Draft, SettingField, TextSetting } from './settings-values.ts';
import { settingsTexts } from './texts.ts';
import { zoneOptions } from './time-zones.ts';

export interface FormProps {
  readonly draft: Draft;
  readonly disabled: boolean;
  readonly onChange: (change: Partial<Draft>) => void;
  readonly problem: (field: SettingField) => string | undefined;
  /** Of a part of a field, by the server's name for it: `reminders[1].day`. */
  readonly problemAt: (field: string, label: string) => string | undefined;
}

interface InputProps extends FormProps {
  readonly field: TextSetting;
  readonly hint?: string;
  readonly optional?: boolean;
  readonly maxLength?: number;
  readonly type?: string;
}

function Text({ draft, disabled, onChange, problem, field, hint, optional = false, maxLength = 120, type = 'text' }: InputProps) {
  const t = useTexts(settingsTexts).account;
  return (
    <Field id={field} label={t[field]} hint={hint} error={problem(field)} optional={optional}>
      <TextInput
        type={type}
        value={draft[field]}
        onChange={(text) => onChange({ [field]: text })}
        maxLength={maxLength}
        disabled={disabled}
        autoComplete="off"
      />
    </Field>
  );
}

interface ChoiceProps extends FormProps {
  readonly field: TextSetting;
  readonly hint?: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

function Choice({ draft, disabled, onChange, problem, field, hint, options }: ChoiceProps) {
  const t = useTexts(settingsTexts).account;
  return (
    <Field id={field} label={t[field]} hint={hint} error={problem(field)}>
      <Select value={draft[field]} onChange={(text) => onChange({ [field]: text })} options={options} disabled={disabled} />
    </Field>
  );
}

export function IdentityPart({ country, ...form }: FormProps & { readonly country: SettingsView['country'] }) {
  const t = useTexts(settingsTexts).account;
  return (
    <FormPart title={t.identity} text={`${t.country}: ${t.countries[country]}`}>
      <div className="grid gap-4 sm:grid-cols-2">
        <div className="sm:col-span-2">
          <Text {...form} field="name" hint={t.nameHint} />
        </div>
        <div className="sm:col-span-2">
          <Text {...form} field="legal_name" optional maxLength={200} />
        </div>
        <div className="sm:col-span-2">
          <Text {...form} field="address" optional maxLength={300} hint={t.addressHint} />
        </div>
        <Text {...form} field="tax_office" optional maxLength={100} />
        <Text {...form} field="tax_no" optional maxLength={20} />
        <Text {...form} field="city" optional maxLength={60} />
        <Text {...form} field="phone" optional maxLength={40} type="tel" hint={t.phoneHint} />
        <div className="sm:col-span-2">
          <Text {...form} field="email" optional maxLength={254} type="email" />
        </div>
      </div>
    </FormPart>
  );
}

export function MoneyPart(form: FormProps) {
  const t = useTexts(settingsTexts).account;
  const sources = (['TCMB', 'KKTCMB'] as const).map((value) => ({ value, label: t.rateSources[value] }));
  const currencies = ['TL', 'STG', 'USD', 'EUR'].map((value) => ({ value, label: value }));
  const languages = [
    { value: 'tr', label: 'Türkçe' },
    { value: 'en', label: 'English' },
  ];
  return (
    <FormPart title={t.money}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Choice {...form} field="default_currency" options={currencies} />
        <Choice {...form} field="rate_source" options={sources} />
        <Choice {...form} field="timezone" options={zoneOptions(form.draft.timezone)} hint={t.timezoneHint} />
        <Choice {...form} field="locale" options={languages} hint={t.localeHint} />
        <Field
          id="sales_expense_limit"
          label={t.sales_expense_limit}
          hint={t.expenseLimitHint}
          error={form.problem('sales_expense_limit')}
        >
          <NumberInput
            value={form.draft.sales_expense_limit}
            onChange={(text) => form.onChange({ sales_expense_limit: text })}
            maxLength={8}
            disabled={form.disabled}
          />
        </Field>
      </div>
    </FormPart>
  );
}

const PERIODS = [
  ['reservation_days', 1, 90],
  ['offer_valid_hours', 1, 336],
  ['document_valid_days', 1, 365],
  ['upcoming_days', 1, 365],
  ['overdue_grace_days', 0, 15],
  ['document_retention_years', 1, 30],
] as const;

export function RulesPart({ draft, disabled, onChange, problem }: FormProps) {
  const t = useTexts(settingsTexts).account;
  return (
    <FormPart title={t.rules}>
      <div className="grid gap-4 sm:grid-cols-2">
        {PERIODS.map(([field, from, to]) => (
          <Field key={field} id={field} label={t[field]} hint={t.between(from, to)} error={problem(field)}>
            <NumberInput
              value={draft[field]}
              onChange={(text) => onChange({ [field]: text })}
              maxLength={3}
              disabled={disabled}
            />
          </Field>
        ))}
      </div>
    </FormPart>
  );
}

export function Capabilities({ settings }: { readonly settings: SettingsView }) {
  const t = useTexts(settingsTexts).account;
  const { account } = useSession();
  return (
    <FormPart title={t.capabilities} text={t.capabilitiesHint}>
      <ul className="m-0 grid list-none gap-2 p-0 sm:grid-cols-2" aria-label={`${t.capabilities}: ${account?.name ?? ''}`}>
        {CAPABILITIES.map((name) => (
          <li key={name} className="flex items-center justify-between gap-3 rounded-control border border-line px-3 py-2">
            {t.capabilityNames[name]}
            {settings[name] ? (
              <Badge tone="live" icon={CircleCheck}>
                {t.on}
              </Badge>
            ) : (
              <Badge tone="soon" icon={CircleSlash}>
                {t.off}
              </Badge>
            )}
          </li>
        ))}
      </ul>
    </FormPart>
  );
}
