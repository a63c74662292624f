// How the simulated side answers, beside the field whose value decides it. Only in the sandbox; the rules are read from the server.
import { useQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import type { SandboxRule as Rule } from '../../../../src/sandbox/people/rules.ts';
import { call } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { cx } from '../../parts/cx.ts';
import { outcomeOf } from './rule-outcome.ts';
import { sandboxTexts } from './texts.ts';

export const rulesQuery = {
  queryKey: ['sandbox-rules'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<readonly Rule[]> => call('GET world/rules', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
};

export interface SandboxRuleProps {
  /** As the rules name them: `POST network-offers`, `amount`. */
  readonly endpoint: string;
  readonly field: string;
  /** As it is sent: `11500.02`; undefined while it is incomplete. */
  readonly value: string | undefined;
}

export function RuleBeside({ endpoint, field, value }: SandboxRuleProps) {
  const t = useTexts(sandboxTexts);
  const locale = useLocale();
  const rule = useQuery(rulesQuery).data?.find(({ fields }) =>
    fields.some((one) => one.endpoint === endpoint && one.field === field),
  );
  if (rule === undefined) return null;
  const chosen = value ? outcomeOf(rule, value) : null;
  return (
    <details
      className="col-span-full rounded-control border border-dashed border-sandbox px-2.5 text-12"
      data-sandbox-rule={rule.act}
    >
      <summary className="flex min-h-8 cursor-pointer items-center gap-1.5 py-1 pointer-coarse:min-h-11">
        <FlaskConical aria-hidden className="size-3.5 shrink-0 text-sandbox" />
        <span>
          <strong className="font-semibold">
            {t.rule} · {rule.name[locale]}:
          </strong>{' '}
          {chosen ? chosen.description[locale] : `${t.decidedBy(rule.decided_by[locale])}.`}
        </span>
      </summary>
      <p className="m-0 pb-1 text-text-2">{t.decidedBy(rule.decided_by[locale])}:</p>
      <RuleOutcomes rule={rule} chosen={chosen} />
    </details>
  );
}

export function RuleOutcomes({
  rule,
  chosen = null,
}: {
  readonly rule: Rule;
  readonly chosen?: Rule['outcomes'][number] | null;
}) {
  const t = useTexts(sandboxTexts);
  const locale = useLocale();
  return (
    <dl className="m-0 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 pb-2">
      {rule.outcomes.map((outcome) => (
        <div key={outcome.outcome} className={cx('contents', outcome === chosen && 'font-semibold')}>
          <dt className="font-mono whitespace-nowrap">
            {outcome.when.map((when) => (when === 'else' ? t.other : when)).join(' · ')}
          </dt>
          <dd className="m-0">{outcome.description[locale]}</dd>
        </div>
      ))}
    </dl>
  );
}
