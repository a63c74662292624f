// Ctrl+K: type a few letters, Enter does it. A combobox over screens, acts and records; «Tahsil et» asks whose sale first.
import { type NavigateOptions, useRouter } from '@tanstack/react-router';
import { type LucideIcon, Search } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { matches } from '../fold.ts';
import { useTexts } from '../language.ts';
import { cx } from '../parts/cx.ts';
import { Dialog } from '../parts/overlay/dialog.tsx';
import { useSession } from '../session.ts';
import { shellTexts } from '../texts/shell.ts';
import { placesFor } from './navigation.ts';
import { actsFor } from './palette-acts.ts';
import { type FoundRecord, useFoundRecords } from './palette-records.ts';
import { paletteTexts } from './palette-texts.ts';

interface PaletteProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

export function CommandPalette({ open, onClose }: PaletteProps) {
  const t = useTexts(shellTexts);
  const isChosen = useRef(false);
  const close = (chosen: boolean) => () => {
    isChosen.current = chosen;
    onClose();
  };
  return (
    // The chosen entry takes the focus: the page's heading, or the form that opens there.
    <Dialog open={open} onClose={close(false)} title={t.palette} titleHidden finalFocus={() => (isChosen.current ? false : null)}>
      <PaletteList onClose={close(true)} />
    </Dialog>
  );
}

interface Choice {
  readonly key: string;
  readonly icon: LucideIcon;
  readonly name: string;
  readonly beside: string;
  readonly run: () => void;
}

function PaletteList({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(shellTexts);
  const p = useTexts(paletteTexts);
  const id = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [collects, setCollects] = useState(false);
  const begin = () => {
    setCollects(true);
    setTyped('');
    setAt(0);
  };
  const { choices: found, isBusy } = useChoices(typed, collects, onClose, begin);
  const current = found[Math.min(at, found.length - 1)];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      setAt((Math.min(at, found.length - 1) + step + found.length) % found.length);
    }
    if (event.key === 'Enter' && current) {
      event.preventDefault();
      current.run();
    }
    if (event.key === 'Backspace' && typed === '' && collects) setCollects(false);
  };
  const label = collects ? p.paletteCollect : t.palette;
  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: the palette is opened to type
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={current ? `${id}-${current.key}` : undefined}
        aria-label={label}
        placeholder={collects ? p.paletteCollectHint : p.paletteHint}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        className="w-full border-0 border-b border-line bg-transparent px-4 py-3.5 text-16 outline-none"
      />
      <div id={id} role="listbox" aria-label={label} aria-busy={isBusy} className="h-[min(60dvh,420px)] overflow-y-auto p-1.5">
        {found.map((choice) => (
          <PaletteOption key={choice.key} id={`${id}-${choice.key}`} choice={choice} chosen={choice === current} />
        ))}
      </div>
      {found.length === 0 && <p className="m-0 px-4 pb-4 text-text-2">{isBusy ? p.paletteBusy : p.paletteEmpty}</p>}
    </>
  );
}

/** The lists in which the typed text can be searched for. */
const SEARCHED: readonly string[] = ['vehicles', 'customers', 'sales', 'expenses'];

/** Acts before screens before records; records come once letters are typed. The last entries search for the text in a list. */
function useChoices(typed: string, collects: boolean, onClose: () => void, collect: () => void) {
  const t = useTexts(shellTexts);
  const p = useTexts(paletteTexts);
  const router = useRouter();
  const session = useSession();
  const { found, isBusy } = useFoundRecords(typed, collects);
  const go = (to: NavigateOptions) => () => {
    onClose();
    void router.navigate(to);
  };
  const places = placesFor(session)
    .filter((place) => matches(typed, t[place.name], shellTexts.tr[place.name], shellTexts.en[place.name]))
    .map(
      (place): Choice => ({
        key: place.name,
        icon: place.icon,
        name: t[place.name],
        beside: '',
        run: go({ to: place.to } as NavigateOptions),
      }),
    );
  const acts = actsFor(session)
    .filter(({ name }) => matches(typed, p.acts[name], paletteTexts.tr.acts[name], paletteTexts.en.acts[name]))
    .map(
      (act): Choice => ({
        key: `act-${act.name}`,
        icon: act.icon,
        name: p.acts[act.name],
        beside: p.act,
        run: act.to === undefined ? collect : go({ to: act.to, search: act.search ?? {} } as NavigateOptions),
      }),
    );
  const records = found.map(
    (record): Choice => ({
      key: `${record.kind}-${record.id}`,
      icon: record.icon,
      name: record.name,
      beside: record.of ? `${p.kinds[record.kind as keyof typeof p.kinds]} · ${record.beside}` : record.beside,
      run: go(linkTo(record, collects)),
    }),
  );
  const text = typed.trim();
  const searches = placesFor(session)
    .filter(({ name }) => SEARCHED.includes(name))
    .map(
      ({ name, to }): Choice => ({
        key: `search-${name}`,
        icon: Search,
        name: p.searchFor(text),
        beside: t[name],
        run: go({ to, search: { q: text } } as NavigateOptions),
      }),
    );
  // Without a word typed it is the menu, and acts would push it down.
  const choices = collects ? records : text === '' ? [...places, ...acts] : [...acts, ...places, ...records, ...searches];
  return { choices, isBusy };
}

function linkTo({ kind, id, of }: FoundRecord, collects: boolean): NavigateOptions {
  if (kind === 'key') return { to: '/api-anahtarlari/$keyId/genel', params: { keyId: id } } as NavigateOptions;
  if (kind === 'sale' || of?.sale_id)
    return { to: '/satislar/$saleId', params: { saleId: of?.sale_id ?? id }, search: collects ? { tahsil: '1' } : {} };
  if (kind === 'vehicle' || of?.vehicle_id) return { to: '/araclar/$vehicleId', params: { vehicleId: of?.vehicle_id ?? id } };
  return { to: '/musteriler/$customerId', params: { customerId: of?.customer_id ?? id } };
}

interface OptionProps {
  readonly id: string;
  readonly choice: Choice;
  readonly chosen: boolean;
}

function PaletteOption({ id, choice, chosen }: OptionProps) {
  const Icon = choice.icon;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the input that holds the focus
    // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
    <div
      id={id}
      role="option"
      aria-selected={chosen}
      onClick={choice.run}
      ref={(element) => {
        if (chosen) element?.scrollIntoView({ block: 'nearest' });
      }}
      className={cx(
        'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-2.5 hover:bg-soon-bg',
        chosen && 'bg-accent-soft text-read',
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 truncate">{choice.name}</span>
      {choice.beside !== '' && <span className="tabular shrink-0 text-12 text-text-2">{choice.beside}</span>}
    </div>
  );
}
