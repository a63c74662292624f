// Fields of a record's form, connected to its state.

import { type ComponentProps, type ReactNode, useId } from 'react';
import { useCurrencies } from '../../currencies.ts';
import { useTexts } from '../../language.ts';
import { useFormat } from '../../session.ts';
import { cx } from '../cx.ts';
import { Checkbox } from '../input/choices.tsx';
import { problemOf } from '../input/error-summary.tsx';
import { Field, type Option, Problem, Select, TextArea, TextInput } from '../input/field.tsx';
import { amountOf } from './form-amount.ts';
import { clearName, type KeptValues } from './form-body.ts';
import { type CheckName, type FieldState, type FormValues, type TextName, useFixedFields } from './form-state.ts';
import { formTexts } from './form-texts.ts';

/** A form as its fields see it. */
export interface FieldsOf<V extends FormValues> {
  readonly form: FieldState<V>;
  readonly error: unknown;
  readonly names: Readonly<Record<string, string>>;
  /** Fields that cannot be edited in the record's status. */
  readonly locked?: (name: string) => boolean;
}

interface Base<V extends FormValues, Name = TextName<V>> {
  readonly of: FieldsOf<V>;
  readonly name: Name;
  readonly optional?: boolean;
  readonly hint?: ReactNode;
  readonly wide?: boolean;
}

interface NamedProps<V extends FormValues> extends Base<V> {
  /** Shown below the field. */
  readonly below?: ReactNode;
  readonly children: ReactNode;
}

/** The text of a field. The field's name gives the type, which the compiler does not see through `V`. */
const textOf = <V extends FormValues>({ values }: FieldState<V>, name: TextName<V>): string => (values[name] ?? '') as string;
const setText = <V extends FormValues>(form: FieldState<V>, name: TextName<V>, text: string) =>
  form.set(name, text as V[TextName<V>]);

/** Common to all kinds of fields: label, problem, id for the error summary. */
function Named<V extends FormValues>({ of, name, optional, hint, wide, below, children }: NamedProps<V>) {
  const label = of.names[name] ?? name;
  const isFixed = useFixedFields(of.form, of.error);
  const problem = isFixed(name) ? undefined : problemOf(of.error, name, label, of.names);
  return (
    <div className={cx(wide && 'col-span-full')}>
      <Field id={name} label={label} optional={optional ?? false} hint={hint} error={problem}>
        {children}
      </Field>
      {below}
    </div>
  );
}

type TextProps<V extends FormValues> = Base<V> &
  Pick<ComponentProps<'input'>, 'type' | 'inputMode' | 'maxLength' | 'min' | 'max' | 'autoFocus' | 'placeholder'> & {
    readonly suggestions?: readonly string[] | undefined;
    /** Normalises the text while it is typed. */
    readonly tidy?: (typed: string) => string;
  };

export function TextField<V extends FormValues>(props: TextProps<V>) {
  const { of, name, optional, hint, wide, suggestions, tidy, ...input } = props;
  const list = useId();
  return (
    <Named {...props}>
      <TextInput
        autoComplete="off"
        {...input}
        {...(suggestions && suggestions.length > 0 ? { list } : {})}
        disabled={of.locked?.(name) ?? false}
        value={textOf(of.form, name)}
        onChange={(value) => setText(of.form, name, tidy ? tidy(value) : value)}
      />
      {suggestions && suggestions.length > 0 && (
        <datalist id={list}>
          {suggestions.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
    </Named>
  );
}

export function LinesField<V extends FormValues>(props: Base<V> & { readonly rows?: number; readonly maxLength?: number }) {
  const { of, name, rows = 4, maxLength } = props;
  return (
    <Named {...props}>
      <TextArea
        rows={rows}
        {...(maxLength === undefined ? {} : { maxLength })}
        disabled={of.locked?.(name) ?? false}
        value={textOf(of.form, name)}
        onChange={(value) => setText(of.form, name, value)}
      />
    </Named>
  );
}

export function ChoiceField<V extends FormValues>(
  props: Base<V> & { readonly options: readonly Option[]; readonly none?: string },
) {
  const { of, name, options, none } = props;
  return (
    <Named {...props}>
      <Select
        disabled={of.locked?.(name) ?? false}
        value={textOf(of.form, name)}
        options={none === undefined ? options : [{ value: '', label: none }, ...options]}
        onChange={(value) => setText(of.form, name, value)}
      />
    </Named>
  );
}

export function CheckField<V extends FormValues>({ of, name, hint, wide }: Base<V, CheckName<V>>) {
  return (
    <div className={cx(wide && 'col-span-full')}>
      <Checkbox
        id={name}
        label={of.names[name] ?? name}
        hint={hint}
        checked={of.form.values[name] === true}
        disabled={of.locked?.(name) ?? false}
        onChange={(checked) => of.form.set(name, checked as V[CheckName<V>])}
      />
    </div>
  );
}

/** An amount and its currency. The formatted amount is shown below, so that a missing zero is noticed. */
export function MoneyField<V extends FormValues>(
  props: Base<V> & { readonly currency: TextName<V>; readonly none?: string; readonly autoFocus?: boolean },
) {
  const { of, name, hint, currency, none, autoFocus = false } = props;
  const t = useTexts(formTexts);
  const format = useFormat();
  const currencies = useCurrencies();
  const typed = textOf(of.form, name);
  const amount = amountOf(typed);
  const unit = textOf(of.form, currency);
  const isFixed = useFixedFields(of.form, of.error);
  const read = amount === undefined || unit === '' ? null : t.amountRead(format.money(amount, unit, true));
  const problem = isFixed(currency) ? undefined : problemOf(of.error, currency, t.currency, of.names);
  return (
    <Named {...props} hint={read ?? hint} below={problem && <Problem id={currency}>{problem}</Problem>}>
      <span className="flex items-start gap-2">
        <TextInput
          inputMode="decimal"
          autoComplete="off"
          autoFocus={autoFocus}
          className="tabular min-w-0 flex-1"
          disabled={of.locked?.(name) ?? false}
          value={typed}
          onChange={(value) => setText(of.form, name, value)}
        />
        {/* A separate field, so that its name is read out. It is too narrow for its error, which is shown below both. */}
        <span className="w-24 shrink-0">
          <Field id={currency} label={t.currencyOf(of.names[name] ?? name)} labelHidden error={problem} errorElsewhere>
            <Select
              disabled={of.locked?.(currency) ?? false}
              value={unit}
              options={none === undefined ? currencies : [{ value: '', label: none }, ...currencies]}
              onChange={(value) => setText(of.form, currency, value)}
            />
          </Field>
        </span>
      </span>
    </Named>
  );
}

/** A checkbox that clears a write-only field, whose value is never shown. */
export function ClearKept<Name extends string>({ of, name }: { readonly of: FieldsOf<KeptValues<Name>>; readonly name: Name }) {
  const t = useTexts(formTexts);
  // The compiler does not see through `Name`.
  const form = of.form as FieldState<FormValues>;
  const clear = clearName(name);
  return (
    <Checkbox
      label={<span className="text-12 text-text-2">{t.clearKept}</span>}
      aria-label={`${of.names[name]}: ${t.clearKept}`}
      checked={form.values[clear] === true}
      disabled={form.values[name] !== ''}
      onChange={(checked) => form.set(clear, checked)}
    />
  );
}
