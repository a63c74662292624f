// Ctrl+K: type a few letters, Enter goes there. A combobox over the menu's own list.
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { matches } from '../fold.ts';
import { useTexts } from '../language.ts';
import { cx } from '../parts/cx.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useSession } from '../session.ts';
import { shellTexts } from '../texts/shell.ts';
import { linkOf, type Place, placesFor } from './navigation.ts';

interface PaletteProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

export function CommandPalette({ open, onClose }: PaletteProps) {
  const t = useTexts(shellTexts);
  return (
    <Dialog open={open} onClose={onClose} title={t.palette} titleHidden>
      <PaletteList onClose={onClose} />
    </Dialog>
  );
}

function PaletteList({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(shellTexts);
  const router = useRouter();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const places = placesFor(useSession());
  const found = places.filter((place) => matches(typed, t[place.name], shellTexts.tr[place.name], shellTexts.en[place.name]));
  const current = found[Math.min(at, found.length - 1)];

  const go = (place: Place) => {
    onClose();
    router.navigate(linkOf(place));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      setAt((Math.min(at, found.length - 1) + step + found.length) % found.length);
    }
    if (event.key === 'Enter' && current) {
      event.preventDefault();
      go(current);
    }
  };

  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: the palette is opened to type
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={current ? `${id}-${current.name}` : undefined}
        aria-label={t.palette}
        placeholder={t.paletteHint}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        className="w-full border-0 border-b border-line bg-transparent px-4 py-3.5 text-16 outline-none"
      />
      <div id={id} role="listbox" aria-label={t.palette} className="max-h-[min(60dvh,420px)] overflow-y-auto p-1.5">
        {found.map((place) => (
          <PaletteOption
            key={place.name}
            id={`${id}-${place.name}`}
            place={place}
            chosen={place === current}
            onPick={() => go(place)}
          />
        ))}
      </div>
      {found.length === 0 && <p className="m-0 px-4 pb-4 text-text-2">{t.paletteEmpty}</p>}
    </>
  );
}

interface OptionProps {
  readonly id: string;
  readonly place: Place;
  readonly chosen: boolean;
  readonly onPick: () => void;
}

function PaletteOption({ id, place, chosen, onPick }: OptionProps) {
  const t = useTexts(shellTexts);
  const Icon = place.icon;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the input that holds the focus
    // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
    <div
      id={id}
      role="option"
      aria-selected={chosen}
      onClick={onPick}
      className={cx(
        'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-2.5 hover:bg-soon-bg',
        chosen && 'bg-accent-soft text-read',
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="flex-1">{t[place.name]}</span>
      {place.soon && <span className="text-12 text-text-2">{t.soon}</span>}
    </div>
  );
}
