// Picks a record by searching: the search box, the results below it, and the chosen record with a button to remove it.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type LucideIcon, Search, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useDeferredValue, useId, useState } from 'react';
import { Button, IconButton } from '../button.tsx';
import { cx } from '../cx.ts';
import { Field, useFieldProps } from '../input/field.tsx';

/** The form's props for the field that holds the record's id. */
export interface PickerFieldProps {
  readonly label: string;
  readonly id: string;
  readonly error?: string | undefined;
  readonly optional?: boolean;
  /** The record cannot be changed. */
  readonly isFixed?: boolean;
  /** The chosen record's id, '' for none. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** What differs between kinds of records; `records/` has one file for each. */
interface PickedRecord<T extends { readonly id: string }> {
  readonly icon: LucideIcon;
  readonly words: { readonly hint: string; readonly none: string; readonly results: string; readonly clear: string };
  /** The first part of its lists' query keys, so that results are invalidated together with the lists. */
  readonly list: string;
  /** Of the list's records only some are offered: what these are called. */
  readonly only?: string;
  readonly maxLength: number;
  readonly find: (typed: string, signal: AbortSignal) => Promise<readonly T[]>;
  readonly line: (record: T) => { readonly name: ReactNode; readonly beside: ReactNode; readonly picture?: ReactNode };
  readonly chosen: (id: string) => ReactNode;
  /** An option below the results that opens a form with the typed text. */
  readonly add?:
    | { readonly label: string; readonly icon: LucideIcon; readonly layer: (layer: AddLayer) => ReactNode }
    | undefined;
}

export interface AddLayer {
  readonly typed: string;
  readonly onMade: (id: string) => void;
  readonly onClose: () => void;
  /** The search box, which gets the focus back if nothing was added. */
  readonly box: () => HTMLElement | null;
}

interface RecordPickerProps<T extends { readonly id: string }> {
  readonly field: PickerFieldProps;
  readonly record: PickedRecord<T>;
}

export function RecordPicker<T extends { readonly id: string }>({ field, record }: RecordPickerProps<T>) {
  const { label, id, error, optional = false, isFixed = false, value, onChange } = field;
  const [isPicked, setPicked] = useState(false);
  const [adds, setAdds] = useState<string | null>(null);
  const pick = (chosen: string) => {
    setPicked(true);
    onChange(chosen);
  };
  return (
    <Field id={id} label={label} optional={optional} error={error} {...(value === '' ? { hint: record.words.hint } : {})}>
      {value === '' ? (
        <Finder record={record} onPick={pick} onAdd={setAdds} takesFocus={isPicked} />
      ) : (
        <Chosen record={record} id={value} takesFocus={isPicked} onClear={isFixed ? undefined : () => pick('')} />
      )}
      {adds !== null &&
        record.add?.layer({
          typed: adds,
          onMade: pick,
          onClose: () => setAdds(null),
          box: () => document.getElementById(id),
        })}
    </Field>
  );
}

interface ChosenProps<T extends { readonly id: string }> {
  readonly record: PickedRecord<T>;
  readonly id: string;
  /** The pressed result disappears with the list, so the field takes the focus and the keyboard still works. */
  readonly takesFocus: boolean;
  readonly onClear: (() => void) | undefined;
}

function Chosen<T extends { readonly id: string }>({ record, id, takesFocus, onClear }: ChosenProps<T>) {
  const field = useFieldProps();
  const { icon: Icon, words, chosen } = record;
  return (
    <span
      id={field.id}
      className="flex min-h-[var(--control)] items-center gap-2 rounded-control border border-line-strong bg-subtle pl-2.5"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-text-3" />
      <span className="min-w-0 flex-1 wrap-anywhere">{chosen(id)}</span>
      {onClear && <IconButton label={words.clear} icon={X} onClick={onClear} autoFocus={takesFocus} />}
    </span>
  );
}

interface FinderProps<T extends { readonly id: string }> {
  readonly record: PickedRecord<T>;
  readonly onPick: (id: string) => void;
  /** Called with the typed text. */
  readonly onAdd: (typed: string) => void;
  readonly takesFocus: boolean;
}

function Finder<T extends { readonly id: string }>({ record, onPick, onAdd, takesFocus }: FinderProps<T>) {
  const { add, maxLength, words } = record;
  const results = useId();
  const finder = useFinder(record, onPick, (id) => `${results}-${id}`);
  const { typed, shown, isSearched, marked } = finder;
  return (
    <span className="relative block">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-[calc(var(--control)/2)] left-2.5 size-4 -translate-y-1/2 text-text-3"
      />
      <input
        {...useFieldProps()}
        type="text"
        role="combobox"
        inputMode="search"
        autoComplete="off"
        maxLength={maxLength}
        // biome-ignore lint/a11y/noAutofocus: the chosen record was removed together with its button, so the focus moves here
        autoFocus={takesFocus}
        value={typed}
        onChange={(event) => finder.type(event.target.value)}
        onClick={() => finder.setOpen(true)}
        onKeyDown={finder.keys}
        onBlur={({ relatedTarget }) => {
          if (!relatedTarget?.closest('[data-results]')) finder.setOpen(false);
        }}
        aria-controls={results}
        aria-expanded={shown !== undefined}
        aria-autocomplete="list"
        aria-activedescendant={marked === null ? undefined : `${results}-${marked}`}
        className="input pl-8"
      />
      {shown !== undefined && (
        <div
          data-results
          className="absolute inset-x-0 top-full z-30 mt-1 flex max-h-80 flex-col overflow-hidden rounded-card bg-card shadow-pop"
        >
          <Results record={record} shown={shown} marked={marked} id={results} onPick={onPick} />
          <p
            role="status"
            className={cx('m-0 px-2.5 py-2 text-13 text-text-2', !(isSearched && shown.length === 0) && 'sr-only')}
          >
            {isSearched && shown.length === 0 ? words.none : ''}
          </p>
          {add && (
            <Button look="quiet" icon={add.icon} className="m-1 self-start" onClick={() => onAdd(typed)}>
              {add.label}
            </Button>
          )}
        </div>
      )}
    </span>
  );
}

/** What is typed, found and marked, and the keys: arrows, Home and End move, Enter takes, Escape closes. */
function useFinder<T extends { readonly id: string }>(
  { find, list, only }: PickedRecord<T>,
  onPick: (id: string) => void,
  optionId: (id: string) => string,
) {
  const [typed, setTyped] = useState('');
  // A click on the empty box shows the newest records, for a person who does not know what to type.
  const [isOpen, setOpen] = useState(false);
  const [lastMarked, setMarked] = useState<string | null>(null);
  const settled = useDeferredValue(typed.trim());
  const isSearched = settled.length > 1;
  const search = isSearched ? settled : '';
  const found = useQuery({
    queryKey: [list, 'picker', only, search],
    queryFn: ({ signal }) => find(search, signal),
    placeholderData: keepPreviousData,
    enabled: isSearched || isOpen,
  });
  const isAnswered = isSearched && settled === typed.trim() && !found.isPlaceholderData;
  const shown = isOpen ? found.data : undefined;
  const marked = shown?.some(({ id }) => id === lastMarked) ? lastMarked : null;
  const mark = (id: string) => {
    setMarked(id);
    document.getElementById(optionId(id))?.scrollIntoView({ block: 'nearest' });
  };
  const keys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = shown && moved(shown, marked, event.key, typed !== '');
    const opens = event.key === 'ArrowDown' && !isOpen;
    const closes = event.key === 'Escape' && isOpen;
    // Enter must not submit the surrounding form, and Escape must not close it.
    if (event.key === 'Enter' || next || opens || closes) event.preventDefault();
    if (closes) event.stopPropagation();
    if (closes || opens) setOpen(opens);
    else if (next) mark(next);
    else if (event.key === 'Enter') {
      const chosen = marked ?? (isAnswered && shown?.length === 1 ? shown[0]!.id : null);
      if (chosen !== null) onPick(chosen);
    }
  };
  const type = (text: string) => {
    setTyped(text);
    setMarked(null);
    setOpen(true);
  };
  return { typed, type, shown, isSearched, marked, setOpen, keys };
}

/** Home and End move in the typed text while there is some. */
function moved<T extends { readonly id: string }>(
  shown: readonly T[],
  marked: string | null,
  key: string,
  isTyped: boolean,
): string | undefined {
  const at = shown.findIndex(({ id }) => id === marked);
  if (key === 'ArrowDown') return shown[Math.min(at + 1, shown.length - 1)]?.id;
  if (key === 'ArrowUp') return shown[Math.max(at - 1, 0)]?.id;
  if (isTyped && at < 0) return undefined;
  return key === 'Home' ? shown[0]?.id : key === 'End' ? shown.at(-1)?.id : undefined;
}

interface ResultsProps<T extends { readonly id: string }> {
  readonly record: PickedRecord<T>;
  readonly shown: readonly T[];
  readonly marked: string | null;
  readonly id: string;
  readonly onPick: (id: string) => void;
}

/** The keyboard stays in the search box, so the options are pressed with the mouse only. */
function Results<T extends { readonly id: string }>({ record, shown, marked, id, onPick }: ResultsProps<T>) {
  const { line, words } = record;
  return (
    <div id={id} role="listbox" aria-label={words.results} tabIndex={-1} className="min-h-0 overflow-y-auto">
      {shown.map((one) => {
        const { name, beside, picture } = line(one);
        return (
          <div
            key={one.id}
            id={`${id}-${one.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={one.id === marked}
            // The search box keeps the focus until the press is over.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPick(one.id)}
            onKeyDown={() => {}}
            className={cx(
              'flex min-h-8 w-full cursor-default items-center gap-3 border-b border-line px-2.5 py-1 text-13 last:border-b-0 hover:bg-soon-bg pointer-coarse:min-h-11',
              one.id === marked && 'bg-soon-bg',
            )}
          >
            {picture}
            <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3 gap-y-0.5">
              <span className="font-medium">{name}</span>
              {beside}
            </span>
          </div>
        );
      })}
    </div>
  );
}
