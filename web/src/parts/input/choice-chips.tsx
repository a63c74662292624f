import type { ReactNode } from 'react';
import { useFormat } from '../../session.ts';
import { cx } from '../cx.ts';

export interface Chip<T extends string> {
  readonly value: T;
  readonly label: ReactNode;
  /** How many records the choice would show; absent while unknown. */
  readonly count?: number | undefined;
}

interface ChoiceChipsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly chips: readonly Chip<T>[];
  readonly onChange: (value: T) => void;
}

/** A filter by one of a few states, each with its count and all visible, unlike a select. */
export function ChoiceChips<T extends string>({ label, value, chips, onChange }: ChoiceChipsProps<T>) {
  const format = useFormat();
  return (
    <fieldset className="m-0 mb-3 flex min-w-0 flex-wrap gap-1.5 border-0 p-0">
      <legend className="sr-only">{label}</legend>
      {chips.map((chip) => (
        <button
          key={chip.value}
          type="button"
          aria-pressed={chip.value === value}
          onClick={() => onChange(chip.value)}
          className={chipLook(chip.value === value)}
        >
          {chip.label}
          {/* Held open while the count is on its way: the row of chips must not jump. */}
          {'count' in chip && (
            <span className={cx('tabular min-w-[1.5ch] text-12', chip.value === value ? 'text-read' : 'text-text-3')}>
              {chip.count === undefined ? '' : format.number(chip.count)}
            </span>
          )}
        </button>
      ))}
    </fieldset>
  );
}

export const chipLook = (isChosen: boolean): string =>
  cx(
    'inline-flex min-h-[var(--control)] items-center gap-1.5 rounded-control border px-2.5 text-13 font-medium whitespace-nowrap transition-colors',
    isChosen
      ? 'border-accent bg-accent-soft text-read'
      : 'border-line bg-card text-text-2 hover:border-line-strong hover:text-text',
  );
