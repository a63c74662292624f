// Checkboxes, switches and radios: native inputs, so that keyboard, screen readers, forced colours and forms work as usual.
import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react';
import { cx } from '../cx.ts';

const BOX = 'size-4 shrink-0 accent-[var(--accent)] pointer-coarse:size-5';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'checked' | 'onChange' | 'type'> {
  /** `mixed`: some of its items are chosen. */
  readonly checked: boolean | 'mixed';
  readonly onChange: (checked: boolean) => void;
  /** Without one, give it an `aria-label`. */
  readonly label?: ReactNode;
  readonly hint?: ReactNode;
}

export function Checkbox({ checked, onChange, label, hint, className, ...rest }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  const hintId = useId();
  useEffect(() => {
    if (box.current) box.current.indeterminate = checked === 'mixed';
  }, [checked]);
  const input = (
    <input
      {...rest}
      ref={box}
      type="checkbox"
      checked={checked === true}
      onChange={(event) => onChange(event.target.checked)}
      className={cx(BOX, label !== undefined && 'mt-0.5')}
      {...(hint ? { 'aria-describedby': hintId } : {})}
    />
  );
  if (label === undefined) return <span className={cx('inline-grid size-6 place-items-center', className)}>{input}</span>;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is `input`, made above
    <label className={cx('flex min-h-6 items-start gap-2 py-0.5', className)}>
      {input}
      <span>
        {label}
        {hint && (
          <span id={hintId} className="block text-12 text-text-2">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}

interface SwitchProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly label: ReactNode;
  readonly disabled?: boolean;
}

/** For settings that take effect at once, without a save button. */
export function Switch({ checked, onChange, label, disabled = false }: SwitchProps) {
  return (
    <label className="inline-flex min-h-8 items-center gap-2.5 text-13">
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox announces its own state
        role="switch"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className={
          'relative h-5 w-9 shrink-0 appearance-none rounded-[10px] border border-line-strong bg-soon-bg transition-colors ' +
          'before:absolute before:top-0.5 before:left-0.5 before:size-3.5 before:rounded-[7px] before:bg-text-2 before:transition-[translate] ' +
          'checked:border-accent checked:bg-accent checked:before:translate-x-4 checked:before:bg-on-accent disabled:opacity-55 forced-colors:appearance-auto'
        }
      />
      {label}
    </label>
  );
}

interface RadioGroupProps<T extends string> {
  readonly label: ReactNode;
  readonly value: T;
  readonly options: readonly {
    readonly value: T;
    readonly label: ReactNode;
    readonly hint?: ReactNode;
    readonly disabled?: boolean;
  }[];
  readonly onChange: (value: T) => void;
  /** Side by side where there is room. */
  readonly inline?: boolean;
  readonly note?: ReactNode;
}

export function RadioGroup<T extends string>({ label, value, options, onChange, inline = false, note }: RadioGroupProps<T>) {
  const name = useId();
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0" {...(note ? { 'aria-describedby': `${name}-note` } : {})}>
      <legend className="mb-1 p-0 text-13 font-medium">{label}</legend>
      <div className={inline ? 'flex flex-wrap gap-x-4 gap-y-1' : 'flex flex-col gap-1'}>
        {options.map((option) => (
          <label key={option.value} className={cx('flex min-h-6 items-start gap-2 py-0.5', option.disabled && 'text-text-3')}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled ?? false}
              onChange={() => onChange(option.value)}
              className={cx(BOX, 'mt-0.5')}
            />
            <span>
              {option.label}
              {option.hint && <span className="block text-12 text-text-2">{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
      {note && (
        <p id={`${name}-note`} className="mt-1.5 mb-0 rounded-control bg-write-bg px-2 py-1 text-12 text-write">
          {note}
        </p>
      )}
    </fieldset>
  );
}
