// A form field: label, input, hint and error, connected for screen readers.
import { type ComponentProps, createContext, lazy, type ReactNode, Suspense, useContext, useId } from 'react';
import { useTexts } from '../../language.ts';
import { partsTexts } from '../../texts/parts.ts';
import { cx } from '../cx.ts';

// Most screens have no date, and need not fetch its field.
const DateInput = lazy(async () => ({ default: (await import('./date-input.tsx')).DateInput }));

interface FieldIds {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
}

const FieldContext = createContext<FieldIds | null>(null);

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** A permanent remark that must be visible, such as a limit that is not enforced; never only a tooltip. */
  readonly note?: ReactNode;
  readonly error?: string | undefined;
  /** The error is shown by a `Problem` of the same id elsewhere. */
  readonly errorElsewhere?: boolean;
  readonly optional?: boolean;
  /** The label is only for screen readers, for search boxes and filters that need no visible one. */
  readonly labelHidden?: boolean;
  /** The id of the input, so that an error summary can link to it. */
  readonly id?: string;
  readonly children: ReactNode;
}

export function Field(props: FieldProps) {
  const { label, hint, note, error, errorElsewhere = false, optional = false, labelHidden = false, id: ownId, children } = props;
  const t = useTexts(partsTexts);
  const own = useId();
  const id = ownId ?? own;
  const parts = [hint && `${id}-hint`, note && `${id}-note`, error && `${id}-error`].filter(Boolean);
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className={cx('text-13 font-medium', labelHidden && 'sr-only')}>
        {label}
        {optional && <span className="font-normal text-text-3"> ({t.optional})</span>}
      </label>
      <FieldContext value={{ id, describedBy: parts.length > 0 ? parts.join(' ') : undefined, invalid: error !== undefined }}>
        {children}
      </FieldContext>
      {hint && (
        <p id={`${id}-hint`} className="m-0 text-12 text-text-2">
          {hint}
        </p>
      )}
      {note && (
        <p id={`${id}-note`} className="m-0 rounded-control bg-write-bg px-2 py-1 text-12 text-write">
          {note}
        </p>
      )}
      {error && !errorElsewhere && <Problem id={id}>{error}</Problem>}
    </div>
  );
}

/** What is wrong with the field of this id. */
export function Problem({ id, children }: { readonly id: string; readonly children: string }) {
  return (
    <p id={`${id}-error`} role="alert" className="m-0 text-12 font-medium text-danger">
      {children}
    </p>
  );
}

/** The props that an input gets from its field. */
export function useFieldProps(): { id?: string; 'aria-describedby'?: string; 'aria-invalid'?: true } {
  const field = useContext(FieldContext);
  return {
    ...(field ? { id: field.id } : {}),
    ...(field?.describedBy ? { 'aria-describedby': field.describedBy } : {}),
    ...(field?.invalid ? { 'aria-invalid': true } : {}),
  };
}

type Typed<Tag extends 'input' | 'textarea' | 'select'> = Omit<ComponentProps<Tag>, 'value' | 'onChange'> & {
  readonly value: string;
  readonly onChange: (value: string) => void;
};

/** With the type `date` it is the panel's own date field. */
export function TextInput({ onChange, className, type, min, max, ...rest }: Typed<'input'>) {
  const field = useFieldProps();
  if (type === 'date')
    return (
      <Suspense fallback={<DatePlace {...(className ? { className } : {})} />}>
        <DateInput
          {...field}
          {...rest}
          min={dayText(min)}
          max={dayText(max)}
          onChange={onChange}
          {...(className ? { className } : {})}
        />
      </Suspense>
    );
  return (
    <input
      {...field}
      {...rest}
      type={type}
      min={min}
      max={max}
      onChange={(event) => onChange(event.target.value)}
      className={cx('input', className)}
    />
  );
}

/** As wide as the field that follows, so that nothing moves. */
function DatePlace({ className }: { readonly className?: string }) {
  const isTouch = matchMedia('(pointer: coarse)').matches;
  return (
    <span className={cx('block', className)}>
      <input disabled type={isTouch ? 'date' : 'text'} className={cx('input', !isTouch && 'tabular pr-9')} />
    </span>
  );
}

const dayText = (day: string | number | undefined): string | undefined => (day === undefined ? undefined : String(day));

/** Digits only, kept as text, so that a half-typed number is never changed. */
export function NumberInput({ onChange, className, ...rest }: Typed<'input'>) {
  return (
    <input
      {...useFieldProps()}
      inputMode="numeric"
      autoComplete="off"
      {...rest}
      onChange={(event) => onChange(event.target.value.replace(/[^\d]/g, ''))}
      className={cx('input tabular', className)}
    />
  );
}

export function TextArea({ onChange, className, rows = 3, ...rest }: Typed<'textarea'>) {
  return (
    <textarea
      {...useFieldProps()}
      rows={rows}
      {...rest}
      onChange={(event) => onChange(event.target.value)}
      className={cx('input resize-y', className)}
    />
  );
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

/** A native select, which works best on phones and with screen readers. */
export function Select({ options, onChange, className, ...rest }: Typed<'select'> & { readonly options: readonly Option[] }) {
  return (
    <select
      {...useFieldProps()}
      {...rest}
      onChange={(event) => onChange(event.target.value)}
      className={cx('input select', className)}
    >
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
