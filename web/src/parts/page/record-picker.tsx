// Picks a record by searching: the search box, the results below it, and the chosen record with a button to remove it.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type LucideIcon, Search, X } from 'lucide-react';
import { type ReactNode, useDeferredValue, useId, useState } from 'react';
import { Button, IconButton } from '../button.tsx';
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
  readonly line: (record: T) => { readonly name: ReactNode; readonly beside: ReactNode };
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
  const { add, find, line, list, maxLength, only, words } = record;
  const results = useId();
  const [typed, setTyped] = useState('');
  // A click on the empty box shows the newest records, for a person who does not know what to type.
  const [isOpen, setOpen] = useState(false);
  const settled = useDeferredValue(typed.trim());
  const isSearched = settled.length > 1;
  const asked = isSearched ? settled : '';
  const found = useQuery({
    queryKey: [list, 'picker', only, asked],
    queryFn: ({ signal }) => find(asked, signal),
    placeholderData: keepPreviousData,
    enabled: isSearched || isOpen,
  });
  const isAnswered = isSearched && settled === typed.trim() && !found.isPlaceholderData;
  const shown = isSearched || isOpen ? found.data : undefined;
  return (
    <>
      <span className="relative block">
        <Search aria-hidden className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-text-3" />
        <input
          {...useFieldProps()}
          type="text"
          inputMode="search"
          autoComplete="off"
          maxLength={maxLength}
          // biome-ignore lint/a11y/noAutofocus: the chosen record was removed together with its button, so the focus moves here
          autoFocus={takesFocus}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onClick={() => setOpen(true)}
          // Enter takes the only one found for what is typed now, and must not submit the surrounding form.
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            if (isAnswered && shown?.length === 1) onPick(shown[0]!.id);
          }}
          aria-controls={results}
          className="input pl-8"
        />
      </span>
      <div id={results} aria-live="polite">
        {isSearched && shown?.length === 0 && <p className="m-0 py-1 text-13 text-text-2">{words.none}</p>}
        {shown !== undefined && shown.length > 0 && (
          <ul aria-label={words.results} className="m-0 list-none overflow-hidden rounded-control border border-line p-0">
            {shown.map((one) => (
              <li key={one.id} className="border-b border-line last:border-b-0">
                <button
                  type="button"
                  onClick={() => onPick(one.id)}
                  className="flex min-h-8 w-full flex-wrap items-center justify-between gap-x-3 px-2.5 py-1 text-start text-13 hover:bg-soon-bg pointer-coarse:min-h-11"
                >
                  <span className="font-medium">{line(one).name}</span>
                  {line(one).beside}
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      {add && shown !== undefined && (
        <Button look="quiet" icon={add.icon} className="self-start" onClick={() => onAdd(typed)}>
          {add.label}
        </Button>
      )}
    </>
  );
}
