// One customer of many, by searching: the box, what was found below it, and the chosen one with a way to take it back.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Search, UserPlus, UserRound, X } from 'lucide-react';
import { type ReactNode, useDeferredValue, useId, useState } from 'react';
import type { Customer } from '../../../src/resources/customers.ts';
import { get, getPage } from '../api.ts';
import { useTexts } from '../language.ts';
import { useMay } from '../may.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Field, useFieldProps } from '../parts/field.tsx';
import { Skeleton } from '../parts/states.tsx';
import { customerWriteTexts } from '../screens/customers/write-texts.ts';
import { phoneText } from './contact.tsx';
import { QuickCustomer } from './quick-customer.tsx';

const MOST = 6;

interface CustomerPickerProps {
  readonly label: string;
  readonly id: string;
  readonly error?: string | undefined;
  readonly optional?: boolean;
  /** Shown, not to be changed. */
  readonly isFixed?: boolean;
  /** The chosen one's id, '' for none. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

export function CustomerPicker({ label, id, error, optional = false, isFixed = false, value, onChange }: CustomerPickerProps) {
  const w = useTexts(customerWriteTexts);
  const [isPicked, setPicked] = useState(false);
  const [adds, setAdds] = useState<string | null>(null);
  const pick = (chosen: string) => {
    setPicked(true);
    onChange(chosen);
  };
  const clear = () => {
    setPicked(true);
    onChange('');
  };
  return (
    <Field id={id} label={label} optional={optional} error={error} {...(value === '' ? { hint: w.pickerHint } : {})}>
      {value === '' ? (
        <Finder onPick={pick} onAdd={setAdds} takesFocus={isPicked} />
      ) : (
        <Chosen id={value} takesFocus={isPicked} onClear={isFixed ? undefined : clear} />
      )}
      {adds !== null && (
        <QuickCustomer typed={adds} onMade={pick} onClose={() => setAdds(null)} box={() => document.getElementById(id)} />
      )}
    </Field>
  );
}

interface ChosenProps {
  readonly id: string;
  /** What was pressed is gone with the list: the form keeps the focus, and its keys. */
  readonly takesFocus: boolean;
  readonly onClear: (() => void) | undefined;
}

function Chosen({ id, takesFocus, onClear }: ChosenProps) {
  const w = useTexts(customerWriteTexts);
  const field = useFieldProps();
  const customer = useQuery({
    queryKey: ['customer', id],
    queryFn: ({ signal }) => get<Customer>(`v1/customers/${encodeURIComponent(id)}`, undefined, signal),
  });
  return (
    <span
      id={field.id}
      className="flex min-h-[var(--control)] items-center gap-2 rounded-control border border-line-strong bg-subtle pl-2.5"
    >
      <UserRound aria-hidden className="size-4 shrink-0 text-text-3" />
      <span className="min-w-0 flex-1 wrap-anywhere">
        {customer.isPending ? <Skeleton className="h-3.5 w-32" /> : <Named customer={customer.data} id={id} />}
      </span>
      {onClear && <IconButton label={w.pickerClear} icon={X} onClick={onClear} autoFocus={takesFocus} />}
    </span>
  );
}

const Named = ({ customer, id }: { readonly customer: Customer | undefined; readonly id: string }): ReactNode =>
  customer === undefined ? (
    <span className="code">{id}</span>
  ) : (
    `${customer.first_name} ${customer.last_name} · ${phoneText(customer.phone)}`
  );

interface FinderProps {
  readonly onPick: (id: string) => void;
  /** With what was typed. */
  readonly onAdd: (typed: string) => void;
  readonly takesFocus: boolean;
}

function Finder({ onPick, onAdd, takesFocus }: FinderProps) {
  const w = useTexts(customerWriteTexts);
  const list = useId();
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const found = useQuery({
    queryKey: ['customers', 'picker', q],
    queryFn: ({ signal }) => getPage<Customer>('v1/customers', { q, limit: MOST }, signal),
    placeholderData: keepPreviousData,
    enabled: q.length > 1,
  });
  const shown = q.length > 1 ? found.data?.items : undefined;
  const mayAdd = useMay('customers:write');
  return (
    <>
      <span className="relative block">
        <Search aria-hidden className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-text-3" />
        <input
          {...useFieldProps()}
          type="text"
          inputMode="search"
          autoComplete="off"
          maxLength={80}
          // biome-ignore lint/a11y/noAutofocus: the chosen one was taken back, and its button with it: here one goes on
          autoFocus={takesFocus}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          // Enter looks at what was found; it does not send the form around it.
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            if (shown?.length === 1) onPick(shown[0]!.id);
          }}
          aria-controls={list}
          className="input pl-8"
        />
      </span>
      <div id={list} aria-live="polite">
        {shown?.length === 0 && <p className="m-0 py-1 text-13 text-text-2">{w.pickerNone}</p>}
        {shown !== undefined && shown.length > 0 && (
          <ul aria-label={w.pickerResults} className="m-0 list-none overflow-hidden rounded-control border border-line p-0">
            {shown.map((customer) => (
              <li key={customer.id} className="border-b border-line last:border-b-0">
                <button
                  type="button"
                  onClick={() => onPick(customer.id)}
                  className="flex min-h-8 w-full flex-wrap items-center justify-between gap-x-3 px-2.5 py-1 text-start text-13 hover:bg-soon-bg pointer-coarse:min-h-11"
                >
                  <span className="font-medium">
                    {customer.first_name} {customer.last_name}
                  </span>
                  <span className="tabular text-text-2">{phoneText(customer.phone)}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      {mayAdd && shown !== undefined && (
        <Button look="quiet" icon={UserPlus} className="self-start" onClick={() => onAdd(typed)}>
          {w.pickerAdd}
        </Button>
      )}
    </>
  );
}
