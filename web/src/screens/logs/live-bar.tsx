// The switch of the live view and its state, and the button that shows how many new requests wait.
import { ArrowUp, CircleAlert, Pause, Play, Radio } from 'lucide-react';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { Switch } from '../../parts/input/choices.tsx';
import { RETRY_SECONDS, type Tail } from './tail.ts';
import { logsTexts } from './texts.ts';
import type { Hold } from './use-hold.ts';

interface LiveBarProps {
  readonly tail: Tail;
  readonly hold: Hold;
  readonly running: boolean;
  /** False on pages of the past. */
  readonly possible: boolean;
  readonly onRun: (on: boolean) => void;
  readonly onReload: () => void;
}

export function LiveBar({ tail, hold, running, possible, onRun, onReload }: LiveBarProps) {
  const t = useTexts(logsTexts);
  const { state } = tail;
  const held = state === 'live' && hold.held;
  const words =
    state === 'lost' ? t.states.lost(RETRY_SECONDS) : held ? t.states.held : state === 'off' ? t.states.off : t.states[state];
  const Icon = state === 'lost' ? CircleAlert : held ? Pause : Radio;
  return (
    <div className="mb-2 flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1">
      <Switch checked={running} disabled={!possible} onChange={onRun} label={t.live} />
      {running && (
        <>
          <span
            role="status"
            data-tail={held ? 'held' : state}
            className={cx(
              'inline-flex items-center gap-1.5 text-13',
              state === 'lost' ? 'text-danger' : state === 'live' && !held ? 'text-live' : 'text-text-2',
            )}
          >
            <Icon aria-hidden className="size-4" />
            {words}
          </span>
          <Button look="quiet" icon={hold.byHand ? Play : Pause} aria-pressed={hold.byHand} onClick={hold.toggle}>
            {hold.byHand ? t.resume : t.pause}
          </Button>
          <span className="hidden text-12 text-text-3 lg:inline">{t.keysHint}</span>
        </>
      )}
      {tail.missed && (
        <span role="alert" className="flex flex-wrap items-center gap-2 text-13 text-write">
          {t.missed}
          <Button look="quiet" onClick={onReload}>
            {t.reload}
          </Button>
        </span>
      )}
    </div>
  );
}

/** Placed over the list, so that nothing moves when it appears. */
export function NewPill({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  const t = useTexts(logsTexts);
  return (
    <div className="pointer-events-none sticky top-[calc(var(--band)+4rem)] z-20 flex h-0 justify-center">
      {count > 0 && (
        <button
          type="button"
          aria-label={t.showWaiting(count)}
          onClick={onShow}
          className="pointer-events-auto -mt-4 inline-flex h-8 items-center gap-1.5 rounded-[16px] bg-accent px-3 text-13 font-medium text-on-accent shadow-pop"
        >
          <ArrowUp aria-hidden className="size-4" />
          {t.waiting(count)}
        </button>
      )}
    </div>
  );
}
