// The usual periods, one click each. The address has only the first and the last day.
import { type DaySpan, monthOf, spanBefore } from '../../../../src/domain/reports/reports-states.ts';
import { useTexts } from '../../language.ts';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { reportsTexts } from './texts.ts';

/** Twelve whole months, the present one among them. */
function twelveMonths(today: string): DaySpan {
  const { from, to } = monthOf(today);
  const [year, month] = from.split('-').map(Number) as [number, number];
  return { from: new Date(Date.UTC(year, month - 12, 1)).toISOString().slice(0, 10), to };
}

interface Props {
  readonly span: DaySpan;
  readonly today: string;
  readonly set: (span: DaySpan) => void;
}

export function SpanChips({ span, today, set }: Props) {
  const t = useTexts(reportsTexts);
  const month = monthOf(today);
  const year = today.slice(0, 4);
  const spans = {
    month,
    before: spanBefore(month),
    year: { from: `${year}-01-01`, to: `${year}-12-31` },
    twelve: twelveMonths(today),
  };
  const names = ['month', 'before', 'year', 'twelve'] as const;
  const chosen = names.find((name) => spans[name].from === span.from && spans[name].to === span.to);
  return (
    <ChoiceChips
      label={t.span}
      value={chosen ?? 'own'}
      chips={names.map((name) => ({ value: name, label: t.spans[name] }))}
      onChange={(name) => set(spans[name as keyof typeof spans])}
    />
  );
}
