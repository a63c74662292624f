// The first steps of a new account; hidden once its keys are in use.
import { ArrowRight, Circle, CircleCheck } from 'lucide-react';
import type { Overview } from '../../../../src/panel/overview.ts';
import { useTexts } from '../../language.ts';
import { PanelLink } from '../../parts/panel-link.tsx';
import { overviewTexts } from './texts.ts';

type Steps = Overview['steps'];

const ORDER = ['has_key', 'has_call', 'has_vehicle', 'has_colleague'] as const;

export const leftOf = (steps: Steps): number => ORDER.filter((step) => !steps[step]).length;

export function FirstSteps({ steps }: { readonly steps: Steps }) {
  const t = useTexts(overviewTexts);
  const lines: readonly { done: boolean; title: string; text: string; to: string }[] = [
    { done: steps.has_key, title: t.step.key, text: t.step.keyText, to: '/api-anahtarlari/yeni' },
    { done: steps.has_call, title: t.step.call, text: t.step.callText, to: '/loglar' },
    { done: steps.has_vehicle, title: t.step.vehicle, text: t.step.vehicleText, to: '/araclar' },
    { done: steps.has_colleague, title: t.step.colleague, text: t.step.colleagueText, to: '/ayarlar/kullanicilar' },
  ];
  return (
    <section aria-label={t.steps} className="card p-4">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="m-0 text-14 font-semibold">{t.steps}</h2>
        <span className="text-13 text-text-2">{t.stepsHint(ORDER.length - leftOf(steps), ORDER.length)}</span>
      </div>
      <ol className="m-0 grid list-none gap-2 p-0 sm:grid-cols-2 xl:grid-cols-4">
        {lines.map(({ done, title, text, to }) => (
          <li key={title} className="flex items-start gap-2.5 rounded-control border border-line p-3">
            {done ? (
              <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-live" />
            ) : (
              <Circle aria-hidden className="mt-0.5 size-4 shrink-0 text-text-3" />
            )}
            <div className="min-w-0">
              {done ? (
                <span className="font-medium text-text-2">
                  {title}
                  <span className="sr-only"> ({t.done})</span>
                </span>
              ) : (
                <PanelLink to={to} className="link inline-flex items-center gap-1 font-medium">
                  {title}
                  <ArrowRight aria-hidden className="size-3.5 shrink-0" />
                </PanelLink>
              )}
              <p className="mt-0.5 mb-0 text-12 text-text-2">{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
