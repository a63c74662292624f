// The date field: typed in the language of the panel, moved by arrow keys, or chosen in a calendar. On touch devices the native one.
import { CalendarDays } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { addDays, addMonths } from '../../../../src/domain/clock/days.ts';
import { dayIn } from '../../../../src/kit/clock.ts';
import { businessNow } from '../../clock.ts';
import { useLocale, useTexts } from '../../language.ts';
import { useFormat } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { cx } from '../cx.ts';
import { isWholeDate, readDate, writeDate } from './date-text.ts';

const DateCalendar = lazy(async () => ({ default: (await import('./date-calendar.tsx')).DateCalendar }));

export type DateInputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type' | 'min' | 'max'> & {
  /** 2026-08-15, or empty. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
};

const isTouch = (): boolean => matchMedia('(pointer: coarse)').matches;

export function DateInput(props: DateInputProps) {
  const [native] = useState(isTouch);
  return native ? <NativeDate {...props} /> : <TypedDate {...props} />;
}

function NativeDate({ onChange, className, ...rest }: DateInputProps) {
  return <input {...rest} type="date" onChange={(event) => onChange(event.target.value)} className={cx('input', className)} />;
}

/** What is typed until it is a day, and the day that it becomes. */
function useTyped(value: string, onChange: (value: string) => void, today: string) {
  const [typed, setTyped] = useState<string | null>(null);
  // Another value from outside replaces what is typed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the value changes
  useEffect(() => {
    if (typed !== null && readDate(typed, today) !== (value || null)) setTyped(null);
  }, [value]);
  const take = (day: string) => {
    setTyped(null);
    if (day !== value) onChange(day);
  };
  const settle = () => {
    if (typed === null) return;
    if (typed.trim() === '') return take('');
    const day = readDate(typed, today);
    if (day !== null) take(day);
    else if (value !== '') onChange('');
  };
  const type = (text: string) => {
    setTyped(text);
    const day = isWholeDate(text) || text === '' ? (readDate(text, today) ?? '') : null;
    if (day !== null && day !== value) onChange(day);
  };
  const isUnread = typed !== null && typed.trim() !== '' && readDate(typed, today) === null;
  return { typed, take, settle, type, isUnread };
}

function TypedDate({ value, onChange, min, max, className, onBlur, onKeyDown, disabled, ...rest }: DateInputProps) {
  const locale = useLocale();
  const { zone } = useFormat();
  const today = dayIn(businessNow(), zone);
  const { typed, take, settle, type, isUnread } = useTyped(value, onChange, today);
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const place = useRef<HTMLSpanElement>(null);
  const move = (event: KeyboardEvent<HTMLInputElement>) => {
    onKeyDown?.(event);
    const step = STEPS[event.key];
    if (event.key === 'Enter') settle();
    if (event.altKey && event.key === 'ArrowDown') setOpen(true);
    else if (step !== undefined && !event.altKey) take(step(value || today));
    else return;
    event.preventDefault();
  };
  const choose = (day: string) => {
    take(day);
    setOpen(false);
    input.current?.focus();
  };
  return (
    <span ref={place} className={cx('relative block', className)}>
      <input
        {...rest}
        ref={input}
        type="text"
        autoComplete="off"
        inputMode="numeric"
        disabled={disabled}
        placeholder={locale === 'tr' ? 'gg.aa.yyyy' : 'dd/mm/yyyy'}
        value={typed ?? (value === '' ? '' : writeDate(value, locale))}
        {...(isUnread ? { 'aria-invalid': true } : {})}
        onChange={(event) => type(event.target.value)}
        onBlur={(event) => {
          settle();
          onBlur?.(event);
        }}
        onKeyDown={move}
        className="input tabular pr-9"
      />
      <CalendarButton disabled={disabled} isOpen={isOpen} onClick={() => setOpen(!isOpen)} />
      {isOpen && (
        <Suspense fallback={null}>
          <DateCalendar
            anchor={place}
            value={value}
            today={today}
            min={min}
            max={max}
            onClose={() => setOpen(false)}
            onChoose={choose}
          />
        </Suspense>
      )}
    </span>
  );
}

interface CalendarButtonProps {
  readonly disabled: boolean | undefined;
  readonly isOpen: boolean;
  readonly onClick: () => void;
}

/** Alt and the down arrow open the calendar too. */
function CalendarButton({ disabled, isOpen, onClick }: CalendarButtonProps) {
  const t = useTexts(partsTexts);
  return (
    <button
      type="button"
      tabIndex={-1}
      disabled={disabled}
      aria-label={t.openCalendar}
      aria-expanded={isOpen}
      onClick={onClick}
      className="absolute top-1/2 right-1 grid size-7 -translate-y-1/2 place-items-center rounded-control text-text-3 hover:bg-soon-bg hover:text-text disabled:opacity-55"
    >
      <CalendarDays aria-hidden className="size-4" />
    </button>
  );
}

const STEPS: Readonly<Record<string, (day: string) => string>> = {
  ArrowUp: (day) => addDays(day, 1),
  ArrowDown: (day) => addDays(day, -1),
  PageUp: (day) => addMonths(day, 1),
  PageDown: (day) => addMonths(day, -1),
};
