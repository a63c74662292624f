import { LIMITS, type LimitName } from '../../../src/domain/membership/membership-states.ts';
import { cx } from '../parts/cx.ts';
import { Progress } from '../parts/progress.tsx';
import { useFormat } from '../session.ts';

interface Words {
  readonly limits: Readonly<Record<LimitName, string>>;
  readonly usedOf: (used: string, limit: string) => string;
  readonly unlimited: (used: string) => string;
  readonly left: (n: string) => string;
  readonly full: string;
}

interface PlanUsageProps {
  readonly usage: Readonly<
    Record<LimitName, { readonly used: number; readonly limit: number | null; readonly remaining: number | null }>
  >;
  readonly words: Words;
}

/** What is used of each limit of a plan, as bars. */
export function PlanUsage({ usage, words }: PlanUsageProps) {
  const format = useFormat();
  return (
    <ul className="m-0 grid list-none gap-x-6 gap-y-4 p-0 sm:grid-cols-2">
      {LIMITS.map((name) => {
        const { used, limit, remaining } = usage[name];
        const isFull = remaining === 0;
        const shown = format.number(used);
        return (
          <li key={name} className="min-w-0">
            <span className="flex flex-wrap items-baseline justify-between gap-x-3 text-13">
              <span className="font-medium">{words.limits[name]}</span>
              <span className="tabular text-text-2">
                {limit === null ? words.unlimited(shown) : words.usedOf(shown, format.number(limit))}
              </span>
            </span>
            {limit !== null && (
              <>
                <Progress label={words.limits[name]} value={limit === 0 ? 1 : Math.min(used / limit, 1)} />
                <span className={cx('text-12', isFull ? 'font-medium text-write' : 'text-text-2')}>
                  {isFull ? words.full : words.left(format.number(remaining ?? 0))}
                </span>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}
