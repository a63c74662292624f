// The rule of the simulated side beside a field. Only the sandbox fetches it.
import { lazy, Suspense } from 'react';
import { isSandbox } from '../../environment.ts';
import type { SandboxRuleProps } from './rules.tsx';

const RuleBeside = lazy(async () => ({ default: (await import('./rules.tsx')).RuleBeside }));

export function SandboxRule(props: SandboxRuleProps) {
  if (!isSandbox()) return null;
  return (
    <Suspense>
      <RuleBeside {...props} />
    </Suspense>
  );
}
