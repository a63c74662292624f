// The fields of a key besides its policy, for creating and editing.
import { ChevronRight, Plus } from 'lucide-react';
import { useId } from 'react';
import { useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { Checkbox, RadioGroup } from '../../../parts/input/choices.tsx';
import { Field, NumberInput, TextArea, TextInput } from '../../../parts/input/field.tsx';
import { useFormat } from '../../../session.ts';
import { keysTexts } from '../texts.ts';
import { type ExpiryChoice, expiryOf, type KeyDraft, linesOf } from './draft.ts';
import type { Problems } from './draft-problems.ts';

export interface FieldsProps {
  readonly draft: KeyDraft;
  readonly change: (changes: Partial<KeyDraft>) => void;
  readonly problems: Problems;
}

export function NameField({ draft, change, problems }: FieldsProps) {
  const t = useTexts(keysTexts);
  return (
    <Field id="name" label={t.name} hint={t.nameHint} error={problems.name}>
      <TextInput value={draft.name} onChange={(name) => change({ name })} maxLength={80} autoComplete="off" />
    </Field>
  );
}

export function EnvironmentField({ draft, change, sandboxShared }: FieldsProps & { readonly sandboxShared: boolean }) {
  const t = useTexts(keysTexts);
  return (
    <RadioGroup
      label={t.environment}
      inline
      value={draft.environment}
      options={[
        { value: 'production', label: t.production },
        { value: 'sandbox', label: 'Sandbox' },
      ]}
      onChange={(environment) => change({ environment })}
      note={sandboxShared ? t.sandboxNote : t.sandboxOwn}
    />
  );
}

const CHOICES: readonly ExpiryChoice[] = ['none', '30', '90', '365', 'date'];

export function ExpiryField({ draft, change, problems, kept }: FieldsProps & { readonly kept?: string | null }) {
  const t = useTexts(keysTexts);
  const format = useFormat();
  const choices: readonly ExpiryChoice[] = kept ? ['keep', ...CHOICES] : CHOICES;
  const labels = { ...t.expiries, keep: kept ? t.keepExpiry(format.dateTime(kept)) : '' };
  const ends = draft.expiry === 'keep' && kept ? new Date(kept) : expiryOf(draft, Date.now(), format.zone);
  return (
    <div id={draft.expiry === 'date' ? undefined : 'expires_at'} tabIndex={-1} className="flex flex-col gap-2">
      <RadioGroup
        label={t.expiry}
        inline
        value={draft.expiry}
        options={choices.map((value) => ({ value, label: labels[value] }))}
        onChange={(expiry) => change({ expiry })}
      />
      {draft.expiry === 'date' && (
        <div className="max-w-56">
          <Field id="expires_at" label={t.expiryDay} error={problems.expires_at}>
            <TextInput type="date" value={draft.expiryDay} onChange={(expiryDay) => change({ expiryDay })} />
          </Field>
        </div>
      )}
      <p className="m-0 text-12 text-text-2">
        {ends === null ? t.expiryNever : ends && t.expiryEnds(format.dateTime(ends), format.zone)}
      </p>
      {draft.expiry !== 'date' && problems.expires_at && (
        <p role="alert" className="m-0 text-12 font-medium text-danger">
          {problems.expires_at}
        </p>
      )}
    </div>
  );
}

export function LimitFields({ draft, change, problems, max }: FieldsProps & { readonly max: number }) {
  const t = useTexts(keysTexts);
  // What is filled in or refused must be seen.
  const isOpen = Boolean(draft.perHour || draft.perDay || problems.limit_per_hour || problems.limit_per_day);
  return (
    <div className="flex flex-col gap-3">
      <div className="max-w-56">
        <Field id="limit_per_minute" label={t.perMinute} hint={t.perMinuteHint(max)} error={problems.limit_per_minute}>
          <NumberInput value={draft.perMinute} onChange={(perMinute) => change({ perMinute })} />
        </Field>
      </div>
      <details open={isOpen} className="group/more">
        <summary className="flex min-h-8 list-none items-center gap-1.5 text-13 font-medium">
          <ChevronRight aria-hidden className="size-4 text-text-3 transition-transform group-open/more:rotate-90" />
          {t.advanced}
        </summary>
        <div className="grid items-start gap-4 pt-2 sm:grid-cols-2">
          <Field id="limit_per_hour" label={t.perHour} optional note={t.notEnforced} error={problems.limit_per_hour}>
            <NumberInput value={draft.perHour} onChange={(perHour) => change({ perHour })} placeholder={t.unlimited} />
          </Field>
          <Field id="limit_per_day" label={t.perDay} optional note={t.notEnforced} error={problems.limit_per_day}>
            <NumberInput value={draft.perDay} onChange={(perDay) => change({ perDay })} placeholder={t.unlimited} />
          </Field>
        </div>
      </details>
    </div>
  );
}

export function AskFields({ draft, change, problems }: FieldsProps) {
  const t = useTexts(keysTexts);
  return (
    <div>
      <Checkbox label={t.askMore} hint={t.askMoreHint} checked={draft.askMore} onChange={(askMore) => change({ askMore })} />
      {draft.askMore && (
        <div className="mt-2 grid items-start gap-3 sm:grid-cols-[12rem_1fr]">
          <AskInputs draft={draft} change={change} problems={problems} />
        </div>
      )}
    </div>
  );
}

export function AskInputs({ draft, change, problems }: FieldsProps) {
  const t = useTexts(keysTexts);
  return (
    <>
      <Field id="ask_per_minute" label={t.askPerMinute} error={problems.ask_per_minute}>
        <NumberInput value={draft.askPerMinute} onChange={(askPerMinute) => change({ askPerMinute })} />
      </Field>
      <Field id="ask_reason" label={t.askReason} error={problems.ask_reason}>
        <TextArea value={draft.askReason} onChange={(askReason) => change({ askReason })} rows={2} maxLength={1000} />
      </Field>
    </>
  );
}

export function AddressField({ draft, change, problems, address }: FieldsProps & { readonly address: string | null }) {
  const t = useTexts(keysTexts);
  const id = useId();
  const lines = linesOf(draft.ips);
  const mine = address !== null && !lines.includes(address);
  return (
    <div className="flex flex-col gap-2">
      <Field
        id="allowed_ips"
        label={t.ips}
        optional
        hint={t.ipsHint}
        {...(lines.length === 0 ? { note: t.ipsEmpty } : {})}
        error={problems.allowed_ips}
      >
        <TextArea
          value={draft.ips}
          onChange={(ips) => change({ ips })}
          className="code"
          rows={Math.min(8, Math.max(3, lines.length + 1))}
          spellCheck={false}
          autoComplete="off"
        />
      </Field>
      {mine && (
        <div>
          <Button id={id} icon={Plus} onClick={() => change({ ips: [...lines, address].join('\n') })}>
            {t.myIp(address)}
          </Button>
        </div>
      )}
    </div>
  );
}
