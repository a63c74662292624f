// Formatted values of records: plates, money, times, missing values.
import { useEffect, useState } from 'react';
import { formatFor } from '../format.ts';
import { useLocale, useTexts } from '../language.ts';
import { useFormat } from '../session.ts';
import { partsTexts } from '../texts/parts.ts';
import { plateText } from './plate-text.ts';

/** A missing value: a dash, with a word for screen readers. */
export function None() {
  const t = useTexts(partsTexts);
  return (
    <span className="text-text-3">
      <span aria-hidden>—</span>
      <span className="sr-only">{t.none}</span>
    </span>
  );
}

/** Black on white in both themes, like a real plate. No country is shown, because Northern Cyprus and Türkiye differ. */
export function Plate({ plate }: { readonly plate: string | null }) {
  const t = useTexts(partsTexts);
  if (plate === null || plate.trim() === '') return <span className="text-text-2">{t.noPlate}</span>;
  const text = plateText(plate);
  return (
    <span
      role="img"
      aria-label={t.plate(text)}
      className="plate inline-block rounded-badge border border-[#111] bg-[#fff] px-1.5 font-mono text-13 font-semibold tracking-[.04em] whitespace-nowrap text-[#111]"
    >
      {text}
    </span>
  );
}

interface MoneyProps {
  /** Decimal text, as the API gives it. */
  readonly amount: string | null;
  readonly currency: string;
  /** Whole amounts without decimals. */
  readonly short?: boolean;
}

export function Money({ amount, currency, short = false }: MoneyProps) {
  const format = useFormat();
  if (amount === null) return <None />;
  return <span className="tabular whitespace-nowrap">{format.money(amount, currency, short)}</span>;
}

interface DateTimeProps {
  readonly at: string | null;
  /** `relative` (3 saat önce, the exact time in its title), `exact`, or the day alone. */
  readonly show?: 'relative' | 'exact' | 'date';
}

export function DateTime({ at, show = 'exact' }: DateTimeProps) {
  const format = useFormat();
  const now = useNow(show === 'relative');
  if (at === null) return <None />;
  const exact = format.dateTime(at);
  return (
    <time dateTime={at} title={`${exact} (${format.zone})`} className="tabular whitespace-nowrap">
      {show === 'relative' ? format.relative(at, now) : show === 'date' ? format.date(at) : exact}
    </time>
  );
}

/** A calendar day (`2026-11-15`), independent of time zones. */
export function Day({ day }: { readonly day: string | null }) {
  const locale = useLocale();
  if (day === null) return <None />;
  return (
    <time dateTime={day} className="tabular whitespace-nowrap">
      {formatFor(locale, 'UTC').date(day)}
    </time>
  );
}

/** The current time, updated every half minute while it is shown. */
export function useNow(running = true): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}
