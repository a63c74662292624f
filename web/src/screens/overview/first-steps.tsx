// The first steps of a new account, by role.
import { ArrowRight, Circle, CircleCheck } from 'lucide-react';
import type { Role } from '../../../../src/domain/identity/roles.ts';
import type { Overview } from '../../../../src/panel/home/overview.ts';
import { useTexts } from '../../language.ts';
import { PanelLink } from '../../parts/page/panel-link.tsx';
import { useSession } from '../../session.ts';
import { firstStepsTexts } from './first-steps-texts.ts';

type Steps = Overview['steps'];

type Step = keyof Steps;

/** An owner makes the account ready to sell, a developer sends a first request. */
const STEPS: { readonly [Name in Role]?: readonly Exclude<Step, 'has_sale'>[] } = {
  owner: ['has_identity', 'has_vehicle', 'has_rates', 'has_reminder_rule', 'has_colleague'],
  developer: ['has_key', 'has_call'],
};
const PLACES: Readonly<Record<Exclude<Step, 'has_sale'>, string>> = {
  has_identity: '/ayarlar/evrak',
  has_vehicle: '/ice-aktarim',
  has_rates: '/kur',
  has_reminder_rule: '/tahsilat',
  has_colleague: '/ekip',
  has_key: '/api-anahtarlari/yeni',
  has_call: '/loglar',
};

export function FirstSteps({ steps }: { readonly steps: Steps }) {
  const t = useTexts(firstStepsTexts);
  const role = useSession().account?.role;
  const order = (role && STEPS[role]) ?? [];
  const left = order.filter((step) => !steps[step]).length;
  if (left === 0) return null;
  const lines = order.map((step) => ({ step, done: steps[step], ...t.step[step], to: PLACES[step] }));
  return (
    <section aria-label={t.steps} className="card p-4">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="m-0 text-14 font-semibold">{t.steps}</h2>
        <span className="text-13 text-text-2">{t.stepsHint(order.length - left, order.length)}</span>
      </div>
      <ol className="m-0 flex list-none flex-wrap gap-2 p-0 *:grow *:basis-56">
        {lines.map(({ step, done, title, text, to }) => (
          <li key={step} className="flex items-start gap-2.5 rounded-control border border-line p-3">
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
              <p className="mt-0.5 mb-0 text-12 text-text-2">
                {text}
                {step === 'has_vehicle' && !done && (
                  <>
                    {' '}
                    <PanelLink to="/araclar/yeni" className="link underline">
                      {t.addCar}
                    </PanelLink>
                  </>
                )}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
