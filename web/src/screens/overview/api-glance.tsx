// The API, small: calls and errors of a day, and the keys to look at.
import { CircleCheck, Globe, Hourglass, KeyRound, type LucideIcon, MoonStar, TriangleAlert } from 'lucide-react';
import type { KeyConcern } from '../../../../src/domain/keys/key-health.ts';
import type { Overview } from '../../../../src/panel/home/overview.ts';
import { useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { Figure } from '../../parts/figure.tsx';
import { PanelLink } from '../../parts/page/panel-link.tsx';
import { useNow } from '../../parts/values.tsx';
import { callsOf, errorShareOf, troubleOf } from '../../records/usage.ts';
import { useFormat, useRole } from '../../session.ts';
import { Card, More } from './cards.tsx';
import { overviewTexts } from './texts.ts';

export function ApiGlance({
  keys,
  traffic,
}: {
  readonly keys: NonNullable<Overview['keys']>;
  readonly traffic: Overview['traffic'];
}) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {traffic && <Traffic traffic={traffic} />}
      <KeyHealth keys={keys} />
    </div>
  );
}

/** The API in two figures; the screens of the log and of usage have the rest. */
function Traffic({ traffic }: { readonly traffic: NonNullable<Overview['traffic']> }) {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  const counts = sumOf(traffic.points);
  return (
    <dl className="m-0 grid grid-cols-1 gap-3 min-[360px]:grid-cols-2">
      <Figure
        name={t.requests}
        value={format.number(callsOf(counts))}
        hint={<Change now={callsOf(counts)} before={traffic.calls_before} />}
      />
      <Figure
        name={t.errors}
        value={format.percent(errorShareOf(counts))}
        hint={
          <span className="flex flex-wrap justify-between gap-x-3">
            {t.errorParts(format.number(troubleOf(counts)), format.number(counts.failed))}
            <More to="/loglar?status=errors">{t.toLogs}</More>
          </span>
        }
      />
    </dl>
  );
}

function Change({ now, before }: { readonly now: number; readonly before: number }) {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  if (before === 0) return t.noBefore;
  const change = (now - before) / before;
  return t.before(`${change > 0 ? '+' : ''}${format.percent(Math.round(change * 1000) / 1000)}`);
}

type Points = NonNullable<Overview['traffic']>['points'];

const sumOf = (points: Points) => ({
  ok: points.reduce((sum, { ok }) => sum + ok, 0),
  refused: points.reduce((sum, { refused }) => sum + refused, 0),
  failed: points.reduce((sum, { failed }) => sum + failed, 0),
  limited: points.reduce((sum, { limited }) => sum + limited, 0),
  not_open: points.reduce((sum, { not_open }) => sum + not_open, 0),
});

type Key = NonNullable<Overview['keys']>['to_look_at'][number];

const CONCERNS: Readonly<Record<KeyConcern, { tone: 'write' | 'dest' | 'soon'; icon: LucideIcon }>> = {
  expiring: { tone: 'write', icon: Hourglass },
  errors: { tone: 'dest', icon: TriangleAlert },
  old_secret: { tone: 'write', icon: KeyRound },
  unused: { tone: 'soon', icon: MoonStar },
  any_address: { tone: 'soon', icon: Globe },
};

function KeyHealth({ keys }: { readonly keys: NonNullable<Overview['keys']> }) {
  const t = useTexts(overviewTexts);
  // Viewers see the state of keys but cannot open them.
  const opens = useRole('owner', 'developer');
  return (
    <Card title={t.keys} {...(opens ? { aside: <More to="/api-anahtarlari">{t.toKeys}</More> } : {})}>
      {keys.to_look_at.length === 0 ? (
        <p className="m-0 flex items-center gap-2 text-text-2">
          {keys.working > 0 && <CircleCheck aria-hidden className="size-4 shrink-0 text-live" />}
          {keys.working > 0 ? t.keysFine : t.noKeys}
        </p>
      ) : (
        <ul className="m-0 flex list-none flex-col divide-y divide-line p-0">
          {keys.to_look_at.map((key) => (
            <li key={key.id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 py-2 first:pt-0 last:pb-0">
              {opens ? (
                <PanelLink to={`/api-anahtarlari/${key.id}/genel`} className="link min-w-0 font-medium wrap-anywhere">
                  {key.name}
                </PanelLink>
              ) : (
                <span className="min-w-0 font-medium wrap-anywhere">{key.name}</span>
              )}
              <span className="flex flex-wrap gap-1.5">
                {key.concerns.map((concern) => (
                  <Badge key={concern} {...CONCERNS[concern]}>
                    <ConcernText concern={concern} of={key} />
                  </Badge>
                ))}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function ConcernText({ concern, of: key }: { readonly concern: KeyConcern; readonly of: Key }) {
  const t = useTexts(overviewTexts).concerns;
  const format = useFormat();
  const now = useNow(concern === 'expiring');
  if (concern === 'expiring') return t.expiring(format.relative(key.expires_at!, now));
  if (concern === 'errors') return t.errors(format.percent(key.errors_24h / key.calls_24h));
  return t[concern];
}
