// A period for lists and charts: a usual one, chosen days, or an exact period picked in a chart.
import { X } from 'lucide-react';
import { useTexts } from '../../language.ts';
import { useFormat } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { FilterSelect } from '../table/filters.tsx';
import { Field, TextInput } from './field.tsx';

/** The period in the address: a usual one, or from and to as days in the dealer's time zone or as instants. */
export interface RangeSearch {
  readonly range?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const HOUR = 3_600_000;
const LENGTHS: Readonly<Record<string, number>> = {
  '1h': HOUR,
  '24h': 24 * HOUR,
  '7d': 7 * 24 * HOUR,
  '30d': 30 * 24 * HOUR,
  '90d': 90 * 24 * HOUR,
  '365d': 365 * 24 * HOUR,
};
export type UsualRange = '1h' | '24h' | '7d' | '30d' | '90d' | '365d';

export const isOwnRange = ({ from, to }: RangeSearch): boolean => from !== undefined || to !== undefined;

/** The query for the server; a usual period ends now: in real time, as calls are counted, unless `now` is given. */
export function periodOf({ range, from, to }: RangeSearch, usual: UsualRange, now = Date.now()): { from?: string; to?: string } {
  if (isOwnRange({ from, to })) return { ...(from ? { from } : {}), ...(to ? { to } : {}) };
  const length = LENGTHS[range ?? usual] ?? LENGTHS[usual]!;
  return { from: new Date(now - length).toISOString() };
}

interface RangeProps {
  readonly value: RangeSearch;
  readonly usual: UsualRange;
  readonly ranges: readonly UsualRange[];
  readonly onChange: (value: RangeSearch) => void;
}

const OWN = 'own';

export function Range({ value, usual, ranges, onChange }: RangeProps) {
  const t = useTexts(partsTexts);
  const { from, to } = value;
  const exact = (from?.includes('T') || to?.includes('T')) ?? false;
  const own = value.range === OWN || isOwnRange(value);
  const options = [
    ...ranges.map((range) => ({ value: range as string, label: t.ranges[range] })),
    { value: OWN, label: t.ranges.own },
  ];
  return (
    <>
      <FilterSelect
        label={t.range}
        value={own ? OWN : (value.range ?? usual)}
        options={options}
        onChange={(range) => onChange({ range: range === usual ? undefined : range, from: undefined, to: undefined })}
      />
      {exact && <ExactRange value={value} onClear={() => onChange({})} />}
      {own && !exact && (
        <>
          <Field label={t.fromDay} labelHidden>
            <TextInput
              type="date"
              value={from ?? ''}
              max={to}
              onChange={(day) => onChange({ range: OWN, from: day || undefined, to })}
            />
          </Field>
          <Field label={t.toDay} labelHidden>
            <TextInput
              type="date"
              value={to ?? ''}
              min={from}
              onChange={(day) => onChange({ range: OWN, from, to: day || undefined })}
            />
          </Field>
        </>
      )}
    </>
  );
}

function ExactRange({ value: { from, to }, onClear }: { readonly value: RangeSearch; readonly onClear: () => void }) {
  const t = useTexts(partsTexts);
  const format = useFormat();
  const text = `${from ? format.dateTime(from) : '…'} – ${to ? format.dateTime(to) : t.now}`;
  return (
    <button
      type="button"
      aria-label={t.removeRange(text)}
      onClick={onClear}
      className="inline-flex min-h-[var(--control)] items-center gap-1 rounded-control bg-read-bg px-2 text-12 font-medium text-read hover:brightness-95"
    >
      <span className="tabular">{text}</span>
      <X aria-hidden className="size-3.5 shrink-0" />
    </button>
  );
}
