import type { ReactNode } from 'react';
import { None } from '../values.tsx';

export interface Fact {
  readonly name: string;
  /** Null and '' are shown as a dash. */
  readonly value: ReactNode;
  /** For long text: uses the whole width. */
  readonly wide?: boolean;
}

interface FactsProps {
  readonly title: string;
  readonly facts: readonly Fact[];
  readonly children?: ReactNode;
}

/** The facts of a record under a heading: names and values side by side, or below each other on phones. */
export function Facts({ title, facts, children }: FactsProps) {
  return (
    <section className="card min-w-0 p-4" aria-label={title}>
      <h2 className="m-0 mb-3 text-14 font-semibold">{title}</h2>
      <dl className="m-0 grid grid-cols-[minmax(6.5rem,2fr)_5fr] gap-x-4 gap-y-2">
        {facts.map(({ name, value, wide = false }) => (
          <div key={name} className={wide ? 'col-span-2' : 'col-span-2 grid grid-cols-subgrid items-baseline'}>
            <dt className="text-13 text-text-2">{name}</dt>
            <dd className="m-0 min-w-0 wrap-anywhere">{value === null || value === '' ? <None /> : value}</dd>
          </div>
        ))}
      </dl>
      {children}
    </section>
  );
}
