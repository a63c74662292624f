// The bar above a list: search, filters, and a button that clears them. Its state is in the address.
import { useRouter } from '@tanstack/react-router';
import { Search, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTexts } from '../../language.ts';
import { partsTexts } from '../../texts/parts.ts';
import { Button } from '../button.tsx';
import { cx } from '../cx.ts';
import { Field, Select } from '../input/field.tsx';
import { useShortcut } from './row-keys.ts';

interface FilterBarProps {
  readonly children: ReactNode;
  /** Present while a filter is set. */
  readonly onClear?: (() => void) | undefined;
  /** At the right: export, saved views. */
  readonly actions?: ReactNode;
}

export function FilterBar({ children, onClear, actions }: FilterBarProps) {
  const t = useTexts(partsTexts);
  return (
    <search className="mb-3 flex flex-wrap items-end gap-2">
      {children}
      {onClear && (
        <Button look="quiet" icon={X} onClick={onClear}>
          {t.clearFilters}
        </Button>
      )}
      {actions && <div className="ml-auto flex flex-wrap gap-2">{actions}</div>}
    </search>
  );
}

interface SearchInputProps {
  readonly label: string;
  readonly value: string;
  /** Called when typing pauses, and at once on Enter or when the search is cleared. */
  readonly onChange: (value: string) => void;
  /** The pause in milliseconds; 0 where the search is local. */
  readonly pause?: number;
  readonly className?: string;
  /** The shortcut «/» leads to another search of the screen. */
  readonly quiet?: boolean;
}

export function SearchInput({ label, value, onChange, pause = 250, className, quiet = false }: SearchInputProps) {
  const t = useTexts(partsTexts);
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The callback of the last render, because another filter may be set during the pause and must not be undone.
  const newest = useRef(onChange);
  useEffect(() => {
    newest.current = onChange;
  });
  const [text, setText] = useState(value);
  // A value from the address that was typed here is ignored, so that letters typed in between are kept.
  const reported = useRef(value);
  useEffect(() => {
    if (value.trim() !== reported.current.trim()) setText(value);
    reported.current = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useShortcut('/', () => quiet || input.current?.focus());
  const report = (next: string, wait: number) => {
    setText(next);
    clearTimeout(timer.current);
    const say = () => {
      reported.current = next;
      newest.current(next);
    };
    if (wait === 0) say();
    else {
      // Not called after the person has left the screen, because it would lead back to the list.
      const here = router.latestLocation.pathname;
      timer.current = setTimeout(() => router.latestLocation.pathname === here && say(), wait);
    }
  };
  return (
    <div className={cx('relative w-full sm:w-72', className)}>
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-text-3" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => report(event.target.value, pause)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') report(text, 0);
          if (event.key === 'Escape' && text !== '') report('', 0);
        }}
        className="input px-8"
      />
      {text !== '' && (
        <button
          type="button"
          aria-label={t.clear}
          onClick={() => {
            report('', 0);
            input.current?.focus();
          }}
          className="absolute top-1/2 right-1 grid size-6 -translate-y-1/2 place-items-center rounded-control text-text-3 hover:bg-soon-bg"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </div>
  );
}

interface FilterSelectProps<Value extends string> {
  readonly label: string;
  /** The label of the option without a filter; absent where one value is always chosen. */
  readonly none?: string;
  readonly value: Value | undefined;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value | undefined) => void;
  /** Where its options do not name it. */
  readonly labelShown?: boolean;
}

/** A select in the bar, whose options mostly name it. On a phone the selects share the lines evenly. */
export function FilterSelect<Value extends string>({
  label,
  none,
  value,
  options,
  onChange,
  labelShown = false,
}: FilterSelectProps<Value>) {
  return (
    <div className="min-w-32 flex-1 sm:max-w-52 sm:flex-none">
      <Field label={label} labelHidden={!labelShown}>
        <Select
          value={value ?? ''}
          options={[...(none === undefined ? [] : [{ value: '', label: none }]), ...options]}
          onChange={(next) => onChange(next === '' ? undefined : (next as Value))}
        />
      </Field>
    </div>
  );
}
