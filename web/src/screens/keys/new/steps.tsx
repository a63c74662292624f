import { useTexts } from '../../../language.ts';
import { cx } from '../../../parts/cx.ts';
import { keysTexts } from '../texts.ts';

export const STEPS = ['kapsam', 'kisitlar', 'gozden'] as const;
export type Step = (typeof STEPS)[number];

interface StepsProps {
  readonly step: Step;
  readonly onStep: (step: Step) => void;
  /** The steps that can be opened, because all earlier ones are valid. */
  readonly open: Readonly<Record<Step, boolean>>;
}

export function Steps({ step, onStep, open }: StepsProps) {
  const t = useTexts(keysTexts);
  return (
    <ol aria-label={t.stepsLabel} className="m-0 mb-5 flex list-none flex-wrap gap-2 p-0">
      {STEPS.map((name, index) => (
        <li key={name}>
          <button
            type="button"
            aria-current={name === step ? 'step' : undefined}
            disabled={!open[name]}
            onClick={() => onStep(name)}
            className="group flex min-h-[var(--control)] items-center gap-2 rounded-control px-2 text-13 font-medium text-text-2 enabled:hover:bg-soon-bg disabled:text-text-3 aria-[current]:text-text"
          >
            <span
              aria-hidden
              className={cx(
                'tabular grid size-6 place-items-center rounded-[12px] border text-12',
                name === step ? 'border-accent bg-accent text-on-accent' : 'border-line-strong',
              )}
            >
              {index + 1}
            </span>
            {t.steps[name]}
          </button>
        </li>
      ))}
    </ol>
  );
}
