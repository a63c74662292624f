// The band over every page of the sandbox: where one is, its time, and the way back. It follows resets and moves of the clock by others.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Clock, FlaskConical } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { basePath } from '../environment.ts';
import { useTexts } from '../language.ts';
import { sandboxTexts } from '../records/sandbox/texts.ts';
import { readAgain, worldQuery } from '../records/sandbox/world.ts';
import { useFormat } from '../session.ts';
import { shellTexts } from '../texts/shell.ts';
import { useAddressIn } from './environment-switch.tsx';

const ClockDialog = lazy(async () => ({ default: (await import('../records/sandbox/clock-dialog.tsx')).ClockDialog }));

const BUTTON =
  'flex min-h-8 min-w-0 items-center gap-1.5 rounded-control border border-current px-2 text-13 font-medium whitespace-nowrap text-on-sandbox ' +
  'no-underline hover:bg-on-sandbox hover:text-sandbox focus-visible:outline-on-sandbox';

export function SandboxBand() {
  const t = useTexts(shellTexts);
  const s = useTexts(sandboxTexts);
  const to = useAddressIn();
  const [open, setOpen] = useState(false);
  return (
    <section
      aria-label={s.band}
      className="sticky top-0 z-30 flex h-(--band) items-center gap-2 bg-sandbox px-3 text-13 text-on-sandbox sm:gap-3 sm:px-4"
    >
      {/* A narrow phone has room for the word or the picture; the word says more. */}
      <FlaskConical aria-hidden className="size-4 shrink-0 max-[25rem]:hidden" />
      <strong className="font-semibold tracking-wide uppercase max-[22rem]:sr-only">Sandbox</strong>
      <span className="min-w-0 truncate max-lg:hidden">{s.bandNote}</span>
      <span className="flex-1" />
      <BandClock onOpen={() => setOpen(true)} />
      {/* On wider screens the switch is in the top bar. */}
      <a href={to('production')} className={`${BUTTON} sm:hidden`}>
        {t.toLive}
      </a>
      <Suspense>{open && <ClockDialog open onClose={() => setOpen(false)} />}</Suspense>
    </section>
  );
}

function BandClock({ onOpen }: { readonly onOpen: () => void }) {
  const s = useTexts(sandboxTexts);
  const format = useFormat();
  const world = useQuery(worldQuery);
  useChanges(world.data);
  const { now, status } = world.data?.clock ?? { now: null, status: 'ready' };
  return (
    <button type="button" onClick={onOpen} className={BUTTON} aria-haspopup="dialog" title={s.clockHint}>
      <Clock aria-hidden className="size-3.5 shrink-0" />
      <span className="tabular min-w-0 truncate">
        <span className="sr-only">{s.clock}: </span>
        {now === null ? '…' : format.dateTime(now)}
        {status !== 'ready' && ` · ${s.statuses[status]}`}
      </span>
    </button>
  );
}

/** Of two readings, business time moved this much more than real time. */
const JUMP_MS = 30_000;

/** After a reset nothing on the page exists any more; after a move by a key or another tab everything is read again. */
function useChanges(world: { readonly id: string; readonly clock: { readonly now: string } } | undefined): void {
  const client = useQueryClient();
  const known = useRef<{ readonly id: string; readonly offset: number } | null>(null);
  useEffect(() => {
    if (world === undefined) return;
    const offset = Date.parse(world.clock.now) - Date.now();
    const before = known.current;
    known.current = { id: world.id, offset };
    if (before === null) return;
    if (before.id !== world.id) location.assign(basePath());
    else if (offset - before.offset > JUMP_MS) void readAgain(client);
  }, [world, client]);
}
