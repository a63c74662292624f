// A category of the picker: its checkbox and its endpoints.
import { ChevronDown } from 'lucide-react';
import { memo, useEffect, useId, useRef, useState } from 'react';
import type { CatalogLine, CatalogView } from '../../../../src/panel/developer/catalog.ts';
import { useLocale, useTexts } from '../../language.ts';
import { MethodChip, RiskBadge, StatusBadge } from '../../parts/badges.tsx';
import { cx } from '../../parts/cx.ts';
import { Checkbox } from '../../parts/input/choices.tsx';
import { useBeyond } from './beyond.ts';
import { boxOf, type Selection } from './selection.ts';
import { pickerTexts } from './texts.ts';

interface GroupProps {
  readonly category: CatalogView['categories'][number];
  readonly endpoints: readonly CatalogLine[];
  readonly selection: Selection;
  readonly onPick: (id: string, range: boolean) => void;
  readonly onPickAll: (picked: boolean) => void;
  /** The group with the list's first row, which is in the tab order. */
  readonly first: boolean;
  readonly readOnly: boolean;
  readonly marked: string | undefined;
  /** During a search the results are shown even on a phone, where categories are otherwise collapsed. */
  readonly searched: boolean;
}

const isNarrow = () => matchMedia('(width < 640px)').matches;

export function PickerGroup(props: GroupProps) {
  const { category, endpoints, selection, onPick, onPickAll, first, readOnly, marked, searched } = props;
  const t = useTexts(pickerTexts);
  const locale = useLocale();
  const [chosen, setChosen] = useState<boolean | null>(null);
  const open = chosen ?? (searched || !isNarrow() || endpoints.some((endpoint) => endpoint.id === marked));
  const listId = useId();
  const name = category.name[locale];
  const held = endpoints.filter((endpoint) => selection.has(endpoint.id)).length;
  const pick = useStable(onPick);
  const beyond = useBeyond();
  return (
    <div className="card overflow-hidden">
      <div className="flex items-center gap-2 border-b border-line bg-subtle py-1 pr-1.5 pl-2.5">
        <Checkbox
          checked={boxOf(
            endpoints.map((endpoint) => endpoint.id),
            selection,
          )}
          onChange={onPickAll}
          disabled={readOnly}
          aria-label={t.pickCategory(name)}
        />
        <h3 className="m-0 min-w-0 flex-1 text-13 font-semibold wrap-anywhere">{name}</h3>
        <span className="tabular text-12 text-text-2">
          {held} / {endpoints.length}
        </span>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={listId}
          aria-label={`${open ? t.fold : t.open}: ${name}`}
          onClick={() => setChosen(!open)}
          className="grid size-8 place-items-center rounded-control text-text-2 hover:bg-soon-bg"
        >
          <ChevronDown aria-hidden className={cx('size-4 transition-transform', !open && '-rotate-90')} />
        </button>
      </div>
      <ul id={listId} hidden={!open} className="m-0 list-none p-0">
        {endpoints.map((endpoint, index) => (
          <PickerEndpoint
            key={endpoint.id}
            endpoint={endpoint}
            picked={selection.has(endpoint.id)}
            onPick={pick}
            entry={first && index === 0}
            readOnly={readOnly}
            beyond={!readOnly && beyond(endpoint)}
            marked={endpoint.id === marked}
          />
        ))}
      </ul>
    </div>
  );
}

interface RowProps {
  readonly endpoint: CatalogLine;
  readonly picked: boolean;
  readonly onPick: (id: string, range: boolean) => void;
  readonly entry: boolean;
  readonly readOnly: boolean;
  /** The person may not give it without the owner. */
  readonly beyond: boolean;
  readonly marked: boolean;
}

const PickerEndpoint = memo(({ endpoint, picked, onPick, entry, readOnly, beyond, marked }: RowProps) => {
  const t = useTexts(pickerTexts);
  const locale = useLocale();
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!marked) return;
    line.current?.scrollIntoView({ block: 'center' });
    line.current?.querySelector('input')?.focus({ preventScroll: true });
  }, [marked]);
  return (
    <li
      ref={line}
      // Always laid out: a row that gets its height late would move the rows below it under the pointer.
      className={cx('border-b border-line last:border-b-0', marked && 'bg-accent-soft')}
    >
      <label
        className={cx(
          'grid min-h-[var(--row)] grid-cols-[auto_auto_1fr] items-center gap-x-2 gap-y-0.5 px-2.5 py-1.5 hover:bg-subtle',
          'md:grid-cols-[auto_auto_minmax(0,1fr)_auto_auto]',
        )}
      >
        <span className="inline-grid size-6 place-items-center">
          <input
            type="checkbox"
            data-row={endpoint.id}
            checked={picked}
            disabled={readOnly}
            tabIndex={entry ? 0 : -1}
            onChange={(event) => onPick(endpoint.id, (event.nativeEvent as MouseEvent).shiftKey === true)}
            className="size-4 accent-[var(--accent)] pointer-coarse:size-5"
          />
        </span>
        <MethodChip method={endpoint.method} />
        <span className="min-w-0">
          <span className="code block text-13 wrap-anywhere">{endpoint.path}</span>
          <span className="block text-12 text-text-2">
            {endpoint.name[locale]} · <span className="code">{endpoint.scope}</span>
          </span>
          {beyond && <span className="block text-12 font-medium text-write">{t.needsOwner}</span>}
        </span>
        <span className="col-start-3 flex flex-wrap gap-1 md:col-start-auto">
          <RiskBadge risk={endpoint.risk} />
          <StatusBadge status={endpoint.status} />
        </span>
      </label>
    </li>
  );
});

/** A stable function that calls the newest `run`, so that unchanged rows are not rendered again. */
function useStable(run: (id: string, range: boolean) => void): (id: string, range: boolean) => void {
  const newest = useRef(run);
  useEffect(() => {
    newest.current = run;
  });
  const [stable] = useState(() => (id: string, range: boolean) => newest.current(id, range));
  return stable;
}
