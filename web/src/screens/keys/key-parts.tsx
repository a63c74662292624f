// Small parts the key screens share.
import { CircleCheck, Eye, type LucideIcon, Pencil, ShieldAlert, Trash2, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { KeyConcern } from '../../../../src/domain/keys/key-health.ts';
import type { Risk } from '../../../../src/kit/endpoint.ts';
import { useTexts } from '../../language.ts';
import { cx } from '../../parts/cx.ts';
import { None } from '../../parts/values.tsx';
import { keysTexts } from './texts.ts';

const RISKS: readonly [Risk, LucideIcon, string][] = [
  ['read', Eye, 'text-read'],
  ['write', Pencil, 'text-write'],
  ['destructive', Trash2, 'text-dest'],
  ['sensitive', ShieldAlert, 'text-sens'],
];

/** Four counts in one cell, in words for screen readers and on hover. */
export function RiskSummary({ risks }: { readonly risks: Readonly<Record<Risk, number>> }) {
  const t = useTexts(keysTexts);
  const words = t.riskCounts(risks.read, risks.write, risks.destructive, risks.sensitive);
  return (
    <span title={words} className="inline-flex flex-wrap items-center gap-1 align-middle">
      <span className="sr-only">{words}</span>
      {RISKS.map(([risk, Icon, colour]) => (
        <span
          key={risk}
          aria-hidden
          className={cx(
            'tabular inline-flex min-w-10 items-center gap-1 text-12',
            risks[risk] === 0 ? 'text-text-3' : `${colour} font-medium`,
          )}
        >
          <Icon className="size-3.5" />
          {risks[risk]}
        </span>
      ))}
    </span>
  );
}

export function Concerns({ concerns, ended }: { readonly concerns: readonly KeyConcern[]; readonly ended: boolean }) {
  const t = useTexts(keysTexts);
  if (ended) return <None />;
  if (concerns.length === 0)
    return (
      <span className="inline-flex items-center gap-1 text-12 text-live">
        <CircleCheck aria-hidden className="size-3.5" />
        {t.good}
      </span>
    );
  return (
    <ul className="m-0 flex list-none flex-col gap-0.5 p-0 text-12">
      {concerns.map((concern) => (
        <li
          key={concern}
          className={cx('inline-flex items-center gap-1 whitespace-nowrap', concern === 'errors' ? 'text-danger' : 'text-write')}
        >
          <TriangleAlert aria-hidden className="size-3.5 shrink-0" />
          {t.concerns[concern]}
        </li>
      ))}
    </ul>
  );
}

/** A warning in a coloured box. */
export function Warning({
  tone = 'write',
  children,
}: {
  readonly tone?: 'write' | 'dest' | 'sens' | 'soon';
  readonly children: ReactNode;
}) {
  const tones = {
    write: 'bg-write-bg text-write',
    dest: 'bg-dest-bg text-dest',
    sens: 'bg-sens-bg text-sens',
    soon: 'bg-soon-bg text-soon',
  };
  return (
    <div className={cx('flex items-start gap-2 rounded-control px-3 py-2 text-13', tones[tone])}>
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0">{children}</div>
    </div>
  );
}

/** A card with a heading. */
export function Block({
  title,
  text,
  actions,
  children,
}: {
  readonly title: string;
  readonly text?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="card p-4">
      <div className="mb-3 flex flex-wrap items-start justify-between gap-2">
        <div>
          <h2 className="m-0 text-16 font-semibold">{title}</h2>
          {text && <p className="mt-0.5 mb-0 text-13 text-text-2">{text}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** A list of names and values. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="m-0 grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 text-13">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-text-2">{name}</dt>
          <dd className="m-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
