// Moves the clock of the sandbox: by a day, a month, or to a day; what happens on the way, how far it is, and why it stopped.
import { CalendarDays, FastForward } from 'lucide-react';
import { useState } from 'react';
import { addDays } from '../../../../src/domain/clock/days.ts';
import { dayIn } from '../../../../src/kit/clock.ts';
import { ApiError } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { Progress } from '../../parts/progress.tsx';
import { useFormat } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { sandboxTexts } from './texts.ts';
import { type ClockTarget, monthFrom, shareOf, useClock, type World } from './world.ts';

export function SandboxClock() {
  const { world, move } = useClock();
  return (
    <Loaded query={world} rows={2}>
      {({ clock }) => (
        <div className="flex flex-col gap-4">
          <Steps clock={clock} busy={move.isPending || clock.status === 'advancing'} onMove={(to) => move.mutate(to)} />
          <div aria-live="polite" className="flex flex-col gap-4">
            {clock.status === 'advancing' && <Moving clock={clock} />}
            {clock.status === 'failed' && <Stopped clock={clock} busy={move.isPending} onMove={(to) => move.mutate(to)} />}
            {clock.status !== 'failed' && <Refused error={move.error} />}
            {move.data && clock.status === 'ready' && <Moved {...move.data} />}
          </div>
        </div>
      )}
    </Loaded>
  );
}

interface StepsProps {
  readonly clock: World['clock'];
  readonly busy: boolean;
  readonly onMove: (to: ClockTarget) => void;
}

function Steps({ clock, busy, onMove }: StepsProps) {
  const t = useTexts(sandboxTexts);
  const format = useFormat();
  const [day, setDay] = useState('');
  const today = dayIn(new Date(clock.now), format.zone);
  const latest = dayIn(new Date(clock.latest), format.zone);
  return (
    <>
      <p className="m-0 text-20 font-semibold tabular">{format.dateTime(clock.now)}</p>
      <div className="flex flex-wrap items-end gap-2">
        <Button icon={FastForward} disabled={busy} onClick={() => onMove({ advance: '1d' })}>
          {t.day}
        </Button>
        <Button icon={FastForward} disabled={busy} onClick={() => onMove(monthFrom(today))}>
          {t.month}
        </Button>
      </div>
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          onMove({ to: day });
        }}
      >
        <Field label={t.to} hint={t.until(format.date(clock.latest))}>
          <TextInput type="date" value={day} min={addDays(today, 1)} max={latest} onChange={setDay} className="w-44" />
        </Field>
        <Button type="submit" icon={CalendarDays} disabled={busy || day === ''} className="mb-5">
          {t.go}
        </Button>
      </form>
    </>
  );
}

function Moving({ clock }: { readonly clock: World['clock'] }) {
  const t = useTexts(sandboxTexts);
  const format = useFormat();
  const { move } = clock;
  if (move === null) return null;
  const label = t.moving(format.dateTime(move.to));
  return (
    <div className="flex flex-col gap-2">
      <p className="m-0 text-13 font-medium">{label}</p>
      <Progress label={label} value={shareOf(clock)} />
      <Happened title={t.soFar} transitions={move.transitions} />
    </div>
  );
}

function Stopped({ clock, busy, onMove }: StepsProps) {
  const t = useTexts(sandboxTexts);
  const { move } = clock;
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-control bg-dest-bg p-3 text-13 text-dest">
      <p className="m-0 font-medium">{t.stopped}</p>
      <code className="wrap-anywhere">{clock.failure}</code>
      <p className="m-0">{t.stoppedHint}</p>
      {move && (
        <div>
          <Button busy={busy} onClick={() => onMove({ to: move.to })}>
            {t.again}
          </Button>
        </div>
      )}
    </div>
  );
}

function Refused({ error }: { readonly error: unknown }) {
  const p = useTexts(partsTexts);
  if (!error) return null;
  const text = error instanceof ApiError ? (error.details[0]?.message ?? error.message) : p.offline;
  return (
    <p role="alert" className="m-0 text-13 font-medium text-danger">
      {text}
    </p>
  );
}

interface MovedProps {
  readonly from: string;
  readonly to: string;
  readonly transitions: Readonly<Record<string, number>>;
  readonly events: number;
}

function Moved({ from, to, transitions, events }: MovedProps) {
  const t = useTexts(sandboxTexts);
  const format = useFormat();
  return (
    <section className="rounded-control bg-live-bg p-3 text-live" aria-label={t.onTheWay}>
      <p className="m-0 mb-1 text-13 font-semibold tabular">{t.moved(format.dateTime(from), format.dateTime(to))}</p>
      <Happened title={t.onTheWay} transitions={transitions} />
      <p className="m-0 mt-1 text-13">{t.events(events)}</p>
    </section>
  );
}

function Happened({ title, transitions }: Pick<MovedProps, 'transitions'> & { readonly title: string }) {
  const t = useTexts(sandboxTexts);
  const format = useFormat();
  const kinds = Object.entries(transitions).filter(([, count]) => count > 0);
  if (kinds.length === 0) return <p className="m-0 text-13">{t.nothing}</p>;
  return (
    <>
      <p className="m-0 text-13 font-medium">{title}</p>
      <dl className="m-0 grid grid-cols-[1fr_auto] gap-x-4 text-13">
        {kinds.map(([kind, count]) => (
          <div key={kind} className="contents">
            <dt>{t.kinds[kind] ?? kind}</dt>
            <dd className="m-0 text-end tabular">{format.number(count)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
