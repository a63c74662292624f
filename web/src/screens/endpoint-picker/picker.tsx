// Picks catalog endpoints: search, filters, a checkbox for each category, full keyboard use. All endpoints are in the DOM, so that the
// browser's search and screen readers find them.
import { CheckCheck, X } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import type { CatalogView } from '../../../../src/panel/developer/catalog.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/input/choices.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { EndpointFilters } from './endpoint-filters.tsx';
import { PickerGroup } from './group.tsx';
import { usePickerKeys } from './keys.ts';
import { boxOf, filtered, isFiltered, type PickerFilter, rangeOf, type Selection, withEndpoints } from './selection.ts';
import { pickerTexts } from './texts.ts';

interface PickerProps {
  readonly catalog: CatalogView;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly filter: PickerFilter;
  readonly onFilter: (filter: PickerFilter) => void;
  /** Shows the selection without letting it change. */
  readonly readOnly?: boolean;
  /** The endpoint that a link led to: scrolled into view and highlighted. */
  readonly marked?: string | undefined;
}

export function Picker(props: PickerProps) {
  const { catalog, selection, onSelect, filter, onFilter, readOnly = false, marked } = props;
  const t = useTexts(pickerTexts);
  const shown = useShown(props);
  const ids = useMemo(() => shown.map((endpoint) => endpoint.id), [shown]);
  const last = useRef<string | null>(null);
  const pick = (id: string, range: boolean) => {
    if (readOnly) return;
    const picked = !selection.has(id);
    const changed = range && last.current !== null ? rangeOf(ids, last.current, id) : [id];
    last.current = id;
    onSelect(withEndpoints(selection, changed, range ? true : picked));
  };
  const pickShown = () => {
    if (readOnly || ids.length === 0) return;
    const picked = boxOf(ids, selection) !== true;
    const changed = ids.filter((id) => selection.has(id) !== picked).length;
    onSelect(withEndpoints(selection, ids, picked));
    const title = picked ? t.pickedNow(changed) : t.droppedNow(changed);
    notify({ title, undo: { label: t.undo, run: () => onSelect(selection) } });
  };
  const pickEndpoints = (endpoints: readonly { readonly id: string }[], picked: boolean) => {
    const changed = endpoints.map(({ id }) => id);
    onSelect(withEndpoints(selection, changed, picked));
  };
  const list = useRef<HTMLDivElement>(null);
  const keys = usePickerKeys(list, { pick, pickShown });
  const groups = useMemo(() => groupsOf(catalog, shown), [catalog, shown]);
  return (
    <section aria-label={t.list}>
      {/* Stays in sight over the long list, from where there is room for it. */}
      <div className="sm:sticky sm:top-[calc(var(--band)+3.5rem)] sm:z-20 sm:-mx-1 sm:bg-bg sm:px-1 sm:pt-2">
        <EndpointFilters categories={catalog.categories} filter={filter} onFilter={onFilter}>
          <Checkbox
            label={t.onlyPicked}
            checked={filter.picked ?? false}
            onChange={(picked) => onFilter({ ...filter, picked: picked || undefined })}
            className="self-center text-13"
          />
        </EndpointFilters>
      </div>
      <PickedLine total={catalog.rows.length} ids={ids} selection={selection} onPickShown={readOnly ? undefined : pickShown} />
      {ids.length === 0 ? (
        <div className="card">
          <EmptyState title={t.noMatch} action={<Button onClick={() => onFilter({})}>{t.clear}</Button>} />
        </div>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: keys of the boxes within; each box works without them too
        <div ref={list} onKeyDown={keys} className="flex flex-col gap-3">
          {groups.map(({ category, endpoints }) => (
            <PickerGroup
              key={category.id}
              category={category}
              endpoints={endpoints}
              selection={selection}
              onPick={pick}
              onPickAll={(picked) => pickEndpoints(endpoints, picked)}
              first={endpoints[0]?.id === ids[0]}
              readOnly={readOnly}
              marked={marked}
              searched={isFiltered(filter)}
            />
          ))}
        </div>
      )}
      {!readOnly && <p className="mt-2 mb-0 hidden text-12 text-text-3 sm:block">{t.keys}</p>}
    </section>
  );
}

interface PickedLineProps {
  readonly total: number;
  /** The endpoints that are shown. */
  readonly ids: readonly string[];
  readonly selection: Selection;
  readonly onPickShown: (() => void) | undefined;
}

function PickedLine({ total, ids, selection, onPickShown }: PickedLineProps) {
  const t = useTexts(pickerTexts);
  const isAll = boxOf(ids, selection) === true;
  return (
    <div className="mb-2 flex flex-wrap items-center justify-between gap-2 text-13 text-text-2">
      <span role="status" className="tabular">
        {t.picked(selection.size, total)} · {t.shown(ids.length)}
      </span>
      {onPickShown && ids.length > 0 && (
        <Button icon={isAll ? X : CheckCheck} onClick={onPickShown}>
          {isAll ? t.dropAll(ids.length) : t.pickAll(ids.length)}
        </Button>
      )}
    </div>
  );
}

/** With "only picked", a deselected endpoint stays visible until the filter changes, so that nothing moves under the pointer. */
function useShown({ catalog, selection, filter }: PickerProps) {
  const filterText = JSON.stringify(filter);
  const [frozen, setFrozen] = useState({ filterText, selection });
  const current = frozen.filterText === filterText ? frozen : { filterText, selection };
  if (current !== frozen) setFrozen(current);
  const held = current.selection;
  return useMemo(() => {
    const names = new Map(catalog.categories.map(({ id, name }) => [id, [name.tr, name.en]]));
    return filtered(catalog.rows, JSON.parse(filterText) as PickerFilter, held, (category) => names.get(category) ?? []);
  }, [catalog, filterText, held]);
}

function groupsOf(catalog: CatalogView, shown: CatalogView['rows']) {
  const byCategory = Map.groupBy(shown, (endpoint) => endpoint.category);
  return catalog.categories
    .map((category) => ({ category, endpoints: byCategory.get(category.id) ?? [] }))
    .filter(({ endpoints }) => endpoints.length > 0);
}
