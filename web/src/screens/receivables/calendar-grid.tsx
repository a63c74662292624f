import { CircleCheck, Clock, type LucideIcon, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { addDays, addMonths, daysBetween } from '../../../../src/domain/clock/days.ts';
import type { CalendarDay } from '../../../../src/domain/receivables/calendar.ts';
import { useOwnFirst } from '../../currencies.ts';
import { useLocale, useTexts } from '../../language.ts';
import { cx } from '../../parts/cx.ts';
import { Money } from '../../parts/values.tsx';
import { isAbove } from '../../records/amounts.ts';
import { useDayName } from './day-name.ts';
import { receivablesTexts } from './texts.ts';

interface MonthGridProps {
  readonly month: string;
  readonly today: string;
  readonly days: readonly CalendarDay[];
  readonly onOpen: (day: string) => void;
}

/** Monday first. */
const weekday = (day: string): number => (new Date(day).getUTCDay() + 6) % 7;

/** Arrow keys go from one day that has installments to the next; up and down by weeks where that day has some. */
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

export function MonthGrid({ month, today, days, onOpen }: MonthGridProps) {
  const locale = useLocale();
  const place = useRef<HTMLOListElement>(null);
  const first = `${month}-01`;
  const all = Array.from({ length: daysBetween(first, addMonths(first, 1)) }, (_, at) => addDays(first, at));
  const names = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const buttons = [...(place.current?.querySelectorAll<HTMLElement>('[data-day]') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    const target = addDays(buttons[at]!.dataset.day!, step);
    const ahead = step > 0 ? buttons.slice(at + 1) : buttons.slice(0, at).reverse();
    const next = ahead.find(({ dataset }) => (step > 0 ? dataset.day! >= target : dataset.day! <= target));
    (next ?? ahead.at(-1))?.focus();
  };
  return (
    <div className="sm:card sm:overflow-hidden">
      <div aria-hidden className="hidden grid-cols-7 border-b border-line bg-subtle sm:grid">
        {Array.from({ length: 7 }, (_, at) => addDays('2026-01-05', at)).map((day) => (
          <span key={day} className="px-2 py-1.5 text-12 font-medium text-text-2">
            {names.format(new Date(day))}
          </span>
        ))}
      </div>
      <ol ref={place} onKeyDown={move} className="m-0 grid list-none grid-cols-1 gap-2 p-0 sm:grid-cols-7 sm:gap-px sm:bg-line">
        <Filler days={weekday(first)} />
        {all.map((day) => (
          <DayCell key={day} day={day} today={today} sums={days.filter((one) => one.day === day)} onOpen={onOpen} />
        ))}
        <Filler days={6 - weekday(all.at(-1)!)} />
      </ol>
    </div>
  );
}

/** Written out, because the stylesheet is generated from the class names in the sources. */
const SPANS = ['sm:col-span-1', 'sm:col-span-2', 'sm:col-span-3', 'sm:col-span-4', 'sm:col-span-5', 'sm:col-span-6'] as const;

/** Days of the months before and after. */
function Filler({ days }: { readonly days: number }) {
  return days > 0 && <li aria-hidden className={cx('hidden bg-subtle sm:block', SPANS[days - 1])} />;
}

type State = 'late' | 'open' | 'paid';
const LOOKS: Readonly<Record<State, { readonly icon: LucideIcon; readonly tone: string; readonly edge: string }>> = {
  late: { icon: TriangleAlert, tone: 'text-dest', edge: 'border-l-dest' },
  open: { icon: Clock, tone: 'text-read', edge: 'border-l-read' },
  paid: { icon: CircleCheck, tone: 'text-live', edge: 'border-l-live' },
};

interface DayCellProps {
  readonly day: string;
  readonly today: string;
  readonly sums: readonly CalendarDay[];
  readonly onOpen: (day: string) => void;
}

function DayCell({ day, today, sums, onOpen }: DayCellProps) {
  if (sums.length === 0)
    return (
      <li className="hidden min-h-24 bg-card p-2 sm:block">
        <DayNumber day={day} isToday={day === today} />
      </li>
    );
  return (
    <li className="max-sm:card bg-card sm:min-h-24">
      <DayButton day={day} today={today} sums={sums} onOpen={onOpen} />
    </li>
  );
}

function DayButton({ day, today, sums, onOpen }: DayCellProps) {
  const t = useTexts(receivablesTexts);
  const dayName = useDayName();
  const open = sums.reduce((sum, { open_count }) => sum + open_count, 0);
  const paid = sums.reduce((sum, { paid_count }) => sum + paid_count, 0);
  const state: State = open === 0 ? 'paid' : day < today ? 'late' : 'open';
  const { icon: Icon, tone, edge } = LOOKS[state];
  const left = useOwnFirst()(sums.filter(({ remaining }) => isAbove(remaining)));
  const words = open === 0 ? t.allPaid : [t.openRows(open), ...(paid > 0 ? [t.paidRows(paid)] : [])].join(', ');
  return (
    <button
      type="button"
      data-day={day}
      onClick={() => onOpen(day)}
      className={cx(
        'flex size-full flex-col items-stretch gap-0.5 border-0 border-l-3 bg-transparent p-2 text-start text-text hover:bg-subtle',
        edge,
      )}
    >
      <span className="flex items-center justify-between gap-1">
        <DayNumber day={day} isToday={day === today} />
        <span className="text-13 font-medium sm:sr-only">{dayName(day)} </span>
        {state === 'late' && <span className="sr-only">{t.late} </span>}
        <Icon aria-hidden className={cx('size-3.5 shrink-0', tone)} />
      </span>
      {left.map(({ remaining, currency }) => (
        <span key={currency} className="text-13 font-semibold tracking-tight sm:text-12 lg:text-13">
          <Money amount={remaining} currency={currency} short />{' '}
        </span>
      ))}
      <span className="text-12 text-text-2">{words}</span>
    </button>
  );
}

/** On a phone the whole day is written instead. */
function DayNumber({ day, isToday }: { readonly day: string; readonly isToday: boolean }) {
  return (
    <span
      aria-hidden
      className={cx(
        'tabular hidden text-12 sm:inline-grid sm:size-6 sm:place-items-center sm:rounded-full',
        isToday ? 'bg-accent font-semibold text-on-accent' : 'text-text-2',
      )}
    >
      {Number(day.slice(8))}
    </span>
  );
}
