// Installments by due date: a month with count and sum of each day, on a phone as a list; a day opens its rows.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { addMonths } from '../../../../src/domain/clock/days.ts';
import type { CalendarDay } from '../../../../src/domain/receivables/calendar.ts';
import { call } from '../../api.ts';
import { useOwnFirst } from '../../currencies.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { Money } from '../../parts/values.tsx';
import { isAbove, plus } from '../../records/amounts.ts';
import { useToday } from '../../records/sales/sales.ts';
import { CalendarDayRows } from './calendar-day.tsx';
import { MonthGrid } from './calendar-grid.tsx';
import { receivablesTexts } from './texts.ts';

const isMonth = (text: string): boolean => /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text);

export function CalendarScreen() {
  const t = useTexts(receivablesTexts);
  const locale = useLocale();
  const today = useToday();
  const search = useSearch({ from: '/shell/tahsilat/takvim' });
  const navigate = useNavigate({ from: '/tahsilat/takvim' });
  const month = search.month !== undefined && isMonth(search.month) ? search.month : today.slice(0, 7);
  const show = (next: string) => navigate({ search: { month: next === today.slice(0, 7) ? undefined : next } });
  const open = (day: string | undefined) => navigate({ search: { month: search.month, day } });
  const days = useQuery({
    queryKey: ['receivables', 'calendar', month],
    queryFn: ({ signal }) => call('GET receivables/calendar', { query: { month }, signal }),
    placeholderData: keepPreviousData,
  });
  const name = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01`),
  );
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-x-1 gap-y-2">
        <IconButton label={t.previousMonth} icon={ChevronLeft} onClick={() => show(addMonths(`${month}-01`, -1).slice(0, 7))} />
        <h2 className="m-0 min-w-32 text-center text-16 font-semibold" aria-live="polite">
          {name}
        </h2>
        <IconButton label={t.nextMonth} icon={ChevronRight} onClick={() => show(addMonths(`${month}-01`, 1).slice(0, 7))} />
        {month !== today.slice(0, 7) && (
          <Button look="quiet" onClick={() => show(today.slice(0, 7))}>
            {t.thisMonth}
          </Button>
        )}
        {days.data && !days.isPlaceholderData && <MonthTotals days={days.data} />}
      </div>
      <Loaded query={days}>
        {(loaded) => <MonthGrid month={month} today={today} days={days.isPlaceholderData ? [] : loaded} onOpen={open} />}
      </Loaded>
      <p className="mt-2 mb-0 hidden text-12 text-text-3 sm:block pointer-coarse:hidden">{t.keysCalendar}</p>
      {search.day !== undefined && <CalendarDayRows day={search.day} onClose={() => open(undefined)} />}
    </>
  );
}

/** What is still open in the month, by currency. */
function MonthTotals({ days }: { readonly days: readonly CalendarDay[] }) {
  const t = useTexts(receivablesTexts);
  const ownFirst = useOwnFirst();
  const currencies = [...new Set(days.map(({ currency }) => currency))].sort();
  const totals = ownFirst(
    currencies.map((currency) => ({
      currency,
      remaining: plus(...days.filter((day) => day.currency === currency).map(({ remaining }) => remaining)),
    })),
  );
  const open = days.reduce((sum, { open_count }) => sum + open_count, 0);
  const paid = days.reduce((sum, { paid_count }) => sum + paid_count, 0);
  return (
    <section aria-label={t.monthTotals} className="ml-auto flex flex-wrap items-baseline gap-x-3 gap-y-1 px-1">
      {totals
        .filter(({ remaining }) => isAbove(remaining))
        .map(({ currency, remaining }) => (
          <span key={currency} className="text-16 font-semibold tracking-tight">
            <Money amount={remaining} currency={currency} />
          </span>
        ))}
      <span className="text-13 text-text-2">
        {days.length === 0 && t.monthEmpty}
        {open > 0 ? [t.openRows(open), ...(paid > 0 ? [t.paidRows(paid)] : [])].join(', ') : paid > 0 && t.allPaid}
      </span>
    </section>
  );
}
