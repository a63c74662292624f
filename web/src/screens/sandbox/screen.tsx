// The sandbox itself: its clock, how full it is, and the reset.
import { useQuery } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { Progress } from '../../parts/progress.tsx';
import { DateTime } from '../../parts/values.tsx';
import { SandboxClock } from '../../records/sandbox/clock.tsx';
import { sandboxTexts } from '../../records/sandbox/texts.ts';
import { type World, worldQuery } from '../../records/sandbox/world.ts';
import { useFormat, useSession } from '../../session.ts';
import { ResetSandbox } from './reset.tsx';
import { SandboxTabs } from './tabs.tsx';
import { sandboxScreenTexts } from './texts.ts';

export function SandboxScreen() {
  const t = useTexts(sandboxScreenTexts);
  const s = useTexts(sandboxTexts);
  const { look } = useSession();
  const [resets, setResets] = useState(false);
  const world = useQuery(worldQuery);
  const reset = (
    <Button look="danger" icon={RotateCcw} onClick={() => setResets(true)}>
      {t.reset}
    </Button>
  );
  return (
    <>
      <SandboxTabs actions={look ? undefined : reset} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <section className="card p-4" aria-labelledby="sandbox-clock">
          <h2 id="sandbox-clock" className="m-0 text-16 font-semibold">
            {t.clock}
          </h2>
          <p className="mt-1 mb-4 text-13 text-text-2">{s.clockText}</p>
          <SandboxClock />
        </section>
        <section className="card p-4" aria-labelledby="sandbox-counts">
          <h2 id="sandbox-counts" className="m-0 text-16 font-semibold">
            {t.counts}
          </h2>
          <p className="mt-1 mb-4 text-13 text-text-2">{t.countsText}</p>
          <Loaded query={world}>{(found) => <Counts world={found} />}</Loaded>
        </section>
      </div>
      <ResetSandbox open={resets} onClose={() => setResets(false)} />
    </>
  );
}

function Counts({ world }: { readonly world: World }) {
  const t = useTexts(sandboxScreenTexts);
  const format = useFormat();
  const names = Object.keys(t.ceilings) as (keyof World['counts'])[];
  const shown = (name: keyof World['counts'], value: number) => (name === 'file_bytes' ? format.bytes(value) : t.count(value));
  return (
    <>
      <ul className="m-0 mb-4 flex list-none flex-col gap-2.5 p-0">
        {names.map((name) => {
          const { count, limit } = world.counts[name];
          return (
            <li key={name} className="text-13">
              <span className="mb-1 flex justify-between gap-3">
                <span>{t.ceilings[name]}</span>
                <span className="tabular text-text-2">{t.of(shown(name, count), shown(name, limit))}</span>
              </span>
              <Progress label={t.ceilings[name]} value={Math.min(1, count / limit)} />
            </li>
          );
        })}
      </ul>
      <p className="m-0 text-13 text-text-2">
        {t.content}: {t.contents[world.data]} · {t.made}: <DateTime at={world.created_at} />
        {world.last_reset_at !== null && (
          <>
            {' '}
            · {t.lastReset}: <DateTime at={world.last_reset_at} />
          </>
        )}
      </p>
    </>
  );
}
