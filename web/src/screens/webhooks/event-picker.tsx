// Picks the events of a webhook: all, all of a resource, or single kinds.
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { eventsBeyond } from '../../../../src/domain/webhooks/event-rights.ts';
import { EVENT_KINDS } from '../../../../src/domain/writes/event-kinds.ts';
import { fold } from '../../fold.ts';
import { useTexts } from '../../language.ts';
import { Checkbox } from '../../parts/input/choices.tsx';
import { SearchInput } from '../../parts/table/filters.tsx';
import { eventTexts } from '../../records/event-texts.ts';
import { useSession } from '../../session.ts';
import { webhooksTexts } from './texts.ts';

export const ALL = '*';

/** Resource → its kinds, without the test event, which needs no subscription. */
const RESOURCES: ReadonlyMap<string, readonly string[]> = EVENT_KINDS.reduce((map, kind) => {
  const resource = kind.slice(0, kind.indexOf('.'));
  return resource === 'test' ? map : map.set(resource, [...(map.get(resource) ?? []), kind]);
}, new Map<string, string[]>());

/** Whether the person's role may not read these events: the server accepts them only from an owner. Removing them is allowed. */
function useBeyond(): (subscription: string) => boolean {
  const role = useSession().account?.role;
  return (subscription) => role !== undefined && eventsBeyond(role, [subscription]).length > 0;
}

interface PickerProps {
  readonly events: readonly string[];
  readonly onChange: (events: readonly string[]) => void;
  readonly error?: string | undefined;
}

export function EventPicker({ events, onChange, error }: PickerProps) {
  const t = useTexts(webhooksTexts);
  const names = useTexts(eventTexts);
  const [typed, setTyped] = useState('');
  const beyond = useBeyond();
  const all = events.includes(ALL);
  const search = fold(typed.trim());
  const shown = [...RESOURCES].filter(
    ([resource, kinds]) => search === '' || fold(`${names[resource]} ${kinds.join(' ')}`).includes(search),
  );
  return (
    <fieldset className="card m-0 min-w-0 p-4" {...(error ? { 'aria-describedby': 'events-error' } : {})}>
      <legend className="float-left mb-3 w-full p-0 text-14 font-semibold">{t.pickTitle}</legend>
      <div className="clear-both flex flex-wrap items-center justify-between gap-3">
        <Checkbox
          id="events"
          label={
            <>
              {t.pickAll} <span className="code text-12 text-text-2">*</span>
            </>
          }
          hint={beyond(ALL) && t.pickOwner}
          checked={all}
          disabled={!all && beyond(ALL)}
          onChange={(checked) => onChange(checked ? [ALL] : [])}
        />
        <SearchInput label={t.pickSearch} value={typed} onChange={setTyped} pause={0} />
      </div>
      {error && (
        <p id="events-error" role="alert" className="mt-2 mb-0 text-12 font-medium text-danger">
          {error}
        </p>
      )}
      <ul className="m-0 mt-3 grid list-none grid-cols-1 gap-x-6 border-t border-line p-0 pt-2 sm:grid-cols-2 xl:grid-cols-3">
        {shown.map(([resource, kinds]) => (
          <Resource
            key={resource}
            resource={resource}
            kinds={kinds}
            isOpen={search !== '' && kinds.some((kind) => fold(kind).includes(search))}
            events={events}
            all={all}
            beyond={beyond(`${resource}.*`)}
            onChange={onChange}
          />
        ))}
      </ul>
      {shown.length === 0 && <p className="m-0 py-2 text-13 text-text-2">{t.pickNone}</p>}
      <p role="status" className="mt-3 mb-0 text-12 text-text-2">
        {all ? t.allEvents : t.picked(events.length)}
      </p>
    </fieldset>
  );
}

interface ResourceProps extends Pick<PickerProps, 'events' | 'onChange'> {
  readonly resource: string;
  readonly kinds: readonly string[];
  readonly isOpen: boolean;
  readonly all: boolean;
  /** The person may not add its events. */
  readonly beyond: boolean;
}

function Resource({ resource, kinds, isOpen, events, all, beyond, onChange }: ResourceProps) {
  const t = useTexts(webhooksTexts);
  const name = useTexts(eventTexts)[resource]!;
  const [turned, setTurned] = useState(false);
  const open = isOpen !== turned;
  const whole = `${resource}.*`;
  const isWhole = all || events.includes(whole);
  const some = kinds.some((kind) => events.includes(kind));
  const others = events.filter((event) => event !== whole && !kinds.includes(event));
  const list = `kinds-${resource}`;
  return (
    <li className="min-w-0 py-0.5 pointer-coarse:py-1.5">
      <div className="flex items-start gap-1 pointer-coarse:gap-3">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={list}
          aria-label={t.showKinds(name)}
          onClick={() => setTurned(!turned)}
          className="grid size-6 shrink-0 place-items-center rounded-control text-text-3 hover:bg-soon-bg"
        >
          <ChevronRight aria-hidden className={`size-4 transition-transform ${open ? 'rotate-90' : ''}`} />
        </button>
        <Checkbox
          aria-label={t.wholeOf(name)}
          label={
            <>
              {name} <span className="code text-12 text-text-2">{whole}</span>
            </>
          }
          hint={beyond && t.pickOwner}
          checked={isWhole ? true : some ? 'mixed' : false}
          disabled={all || (beyond && !isWhole)}
          onChange={(checked) => onChange(checked ? [...others, whole] : others)}
          className="min-w-0 wrap-anywhere"
        />
      </div>
      <ul id={list} hidden={!open} className="m-0 mb-1 list-none p-0 pl-9">
        {kinds.map((kind) => (
          <li key={kind}>
            <Checkbox
              label={<span className="code text-12">{kind}</span>}
              checked={isWhole || events.includes(kind)}
              disabled={isWhole || (beyond && !events.includes(kind))}
              onChange={(checked) => onChange(checked ? [...events, kind] : events.filter((event) => event !== kind))}
            />
          </li>
        ))}
      </ul>
    </li>
  );
}
