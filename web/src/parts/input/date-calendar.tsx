// The calendar of a date field: a month of days, moved by arrow keys, with today, tomorrow and a month from now below it.
import { Popover } from '@base-ui/react/popover';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { addDays, addMonths } from '../../../../src/domain/clock/days.ts';
import { useLocale, useTexts } from '../../language.ts';
import { partsTexts } from '../../texts/parts.ts';
import { Button, IconButton } from '../button.tsx';
import { cx } from '../cx.ts';
import { writeDate } from './date-text.ts';

interface DateCalendarProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly value: string;
  readonly today: string;
  readonly min: string | undefined;
  readonly max: string | undefined;
  readonly onChoose: (day: string) => void;
  readonly onClose: () => void;
}

const MOVES: Readonly<Record<string, (day: string) => string>> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  PageUp: (day) => addMonths(day, -1),
  PageDown: (day) => addMonths(day, 1),
  Home: (day) => addDays(day, -weekday(day)),
  End: (day) => addDays(day, 6 - weekday(day)),
};

/** Monday is 0. */
const weekday = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

/** Six weeks, so that the calendar keeps its height. */
function weeksOf(month: string): readonly (readonly string[])[] {
  const first = addDays(`${month}-01`, -weekday(`${month}-01`));
  return Array.from({ length: 6 }, (_, week) => Array.from({ length: 7 }, (_, at) => addDays(first, week * 7 + at)));
}

type Named = (day: string, options: Intl.DateTimeFormatOptions) => string;

export function DateCalendar({ anchor, value, today, min, max, onChoose, onClose }: DateCalendarProps) {
  const t = useTexts(partsTexts);
  const locale = useLocale();
  const [current, setCurrent] = useState(value || today);
  const named: Named = (day, options) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
  const isOut = (day: string) => (min !== undefined && min !== '' && day < min) || (max !== undefined && max !== '' && day > max);
  const shortcuts = [
    { day: today, name: t.today },
    { day: addDays(today, 1), name: t.tomorrow },
    { day: addMonths(value || today, 1), name: t.monthLater },
  ];
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} align="start" sideOffset={4} className="z-50">
          <Popover.Popup data-layer aria-label={t.openCalendar} className="rounded-card bg-card p-3 shadow-pop outline-none">
            <div className="mb-2 flex items-center justify-between gap-2">
              <IconButton label={t.previousMonth} icon={ChevronLeft} onClick={() => setCurrent(addMonths(current, -1))} />
              <span aria-live="polite" className="text-13 font-semibold">
                {named(current, { month: 'long', year: 'numeric' })}
              </span>
              <IconButton label={t.nextMonth} icon={ChevronRight} onClick={() => setCurrent(addMonths(current, 1))} />
            </div>
            <Days
              current={current}
              value={value}
              today={today}
              named={named}
              isOut={isOut}
              onChoose={onChoose}
              onMove={setCurrent}
            />
            <div className="mt-2 flex flex-wrap gap-1.5">
              {shortcuts.map(({ day, name }) => (
                <Button key={name} disabled={isOut(day)} onClick={() => onChoose(day)}>
                  {name}
                </Button>
              ))}
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface DaysProps extends Pick<DateCalendarProps, 'value' | 'today' | 'onChoose'> {
  /** The day that has the focus; its month is shown. */
  readonly current: string;
  readonly named: Named;
  readonly isOut: (day: string) => boolean;
  readonly onMove: (day: string) => void;
}

function Days({ current, value, today, named, isOut, onMove, onChoose }: DaysProps) {
  const locale = useLocale();
  const grid = useRef<HTMLTableElement>(null);
  const month = current.slice(0, 7);
  const weeks = weeksOf(month);
  useEffect(() => {
    grid.current?.querySelector<HTMLElement>(`[data-day="${current}"]`)?.focus();
  }, [current]);
  const move = (event: KeyboardEvent) => {
    const to = MOVES[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onMove(to(current));
  };
  return (
    <table ref={grid} onKeyDown={move} className="border-collapse text-13">
      <thead>
        <tr>
          {weeks[0]!.map((day) => (
            <th key={day} scope="col" abbr={named(day, { weekday: 'long' })} className="size-8 text-12 font-medium text-text-3">
              {named(day, { weekday: 'narrow' })}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((days) => (
          <tr key={days[0]}>
            {days.map((day) => (
              <td key={day} className="p-0">
                <button
                  type="button"
                  data-day={day}
                  tabIndex={day === current ? 0 : -1}
                  disabled={isOut(day)}
                  aria-label={writeDate(day, locale)}
                  aria-current={day === today ? 'date' : undefined}
                  aria-pressed={day === value}
                  onClick={() => onChoose(day)}
                  className={cx(
                    'tabular grid size-8 place-items-center rounded-control hover:bg-soon-bg disabled:opacity-40',
                    day.slice(0, 7) !== month && 'text-text-3',
                    day === today && 'font-semibold text-read',
                    day === value && 'bg-accent text-on-accent hover:bg-accent',
                  )}
                >
                  {Number(day.slice(8))}
                </button>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
