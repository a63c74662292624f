// When customers are reminded of a due installment: one line for each rule.
import { Plus, Trash2 } from 'lucide-react';
import { MAX_REMINDERS, REMINDER_CHANNELS } from '../../../../src/domain/accounts/accounts-states.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/input/choices.tsx';
import { Field, NumberInput, Select } from '../../parts/input/field.tsx';
import type { FormProps } from './account-fields.tsx';
import { FormPart } from './frame.tsx';
import type { TypedRule } from './settings-values.ts';
import { settingsTexts } from './texts.ts';

interface RemindersProps extends FormProps {
  readonly canMail: boolean;
}

export function RemindersPart({ draft, disabled, onChange, problemAt, canMail }: RemindersProps) {
  const t = useTexts(settingsTexts).account;
  const rules = draft.reminders;
  const set = (reminders: readonly TypedRule[]) => onChange({ reminders });
  const change = (index: number, changed: Partial<TypedRule>) =>
    set(rules.map((rule, place) => (place === index ? { ...rule, ...changed } : rule)));
  return (
    <FormPart title={t.reminders} text={t.remindersHint}>
      <ul className="m-0 flex list-none flex-col gap-3 p-0">
        {rules.map((rule, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no name of its own, and its place is what is edited
          <li key={index} className="grid grid-cols-2 items-end gap-3 sm:grid-cols-[6rem_1fr_1fr_auto_auto]">
            <Field
              id={`reminders[${index}].day`}
              label={t.reminderDays}
              error={problemAt(`reminders[${index}].day`, t.reminderDays)}
            >
              <NumberInput value={rule.days} onChange={(days) => change(index, { days })} maxLength={2} disabled={disabled} />
            </Field>
            <Field label={t.reminderSide}>
              <Select
                value={rule.side}
                options={(['before', 'after'] as const).map((value) => ({ value, label: t.reminderSides[value] }))}
                onChange={(side) => change(index, { side: side as TypedRule['side'] })}
                disabled={disabled}
              />
            </Field>
            <Field label={t.reminderChannel}>
              <Select
                value={rule.channel}
                options={REMINDER_CHANNELS.map((value) => ({ value, label: t.reminderChannels[value] }))}
                onChange={(channel) => change(index, { channel: channel as TypedRule['channel'] })}
                disabled={disabled}
              />
            </Field>
            <Checkbox
              label={t.reminderActive}
              checked={rule.active}
              disabled={disabled}
              onChange={(active) => change(index, { active })}
              className="pb-2"
            />
            <Button
              look="quiet"
              icon={Trash2}
              disabled={disabled}
              aria-label={t.reminderRemove(index + 1)}
              title={t.reminderRemove(index + 1)}
              onClick={() => set(rules.filter((_, place) => place !== index))}
            />
          </li>
        ))}
      </ul>
      <Caveats rules={rules} graceDays={Number(draft.overdue_grace_days)} canMail={canMail} />
      <Button
        icon={Plus}
        disabled={disabled || rules.length >= MAX_REMINDERS}
        onClick={() => set([...rules, { days: '', side: 'after', channel: 'WhatsApp', active: false }])}
        className="mt-3"
      >
        {t.reminderAdd}
      </Button>
    </FormPart>
  );
}

interface CaveatsProps {
  readonly rules: readonly TypedRule[];
  readonly graceDays: number;
  readonly canMail: boolean;
}

/** Why an active rule will not send reminders. */
function Caveats({ rules, graceDays, canMail }: CaveatsProps) {
  const t = useTexts(settingsTexts).account;
  const active = rules.filter((rule) => rule.active);
  const inGrace = active.some(({ side, days }) => side === 'after' && Number(days) > 0 && Number(days) <= graceDays);
  const byMail = !canMail && active.some(({ channel }) => channel === 'E-posta');
  return (
    <div role="status" className="text-13 font-medium">
      {inGrace && <p className="m-0 mt-3">{t.reminderInGrace(graceDays)}</p>}
      {byMail && <p className="m-0 mt-3">{t.reminderNoMail}</p>}
    </div>
  );
}
