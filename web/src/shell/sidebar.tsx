import { Link, useLocation } from '@tanstack/react-router';
import { ChevronDown, PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../language.ts';
import { IconButton } from '../parts/button.tsx';
import { cx } from '../parts/cx.ts';
import { Tooltip } from '../parts/overlay/tooltip.tsx';
import { useSession } from '../session.ts';
import { shellTexts } from '../texts/shell.ts';
import { type Place, SETTINGS, type Section, sectionsFor } from './navigation.ts';
import { WordMark } from './word-mark.tsx';

/** The menu beside the screen, from 1024 px up. */
export function Sidebar({ narrow, onTurn }: { readonly narrow: boolean; readonly onTurn: () => void }) {
  const t = useTexts(shellTexts);
  return (
    <aside
      className={cx(
        'sticky top-(--band) hidden h-[calc(100dvh-var(--band))] shrink-0 flex-col border-r border-line bg-card lg:flex',
        narrow ? 'w-[57px]' : 'w-[var(--sidebar)]',
      )}
    >
      <div className={cx('flex h-14 shrink-0 items-center', narrow ? 'justify-center' : 'px-4')}>
        <Link to="/" className="rounded-control no-underline">
          <WordMark short={narrow} />
        </Link>
      </div>
      <Places narrow={narrow} />
      <div className={cx('flex shrink-0 gap-1 border-t border-line p-2', narrow && 'flex-col items-center')}>
        <div className="min-w-0 flex-1">
          <PlaceLink place={SETTINGS} narrow={narrow} />
        </div>
        <IconButton label={narrow ? t.widen : t.narrow} icon={narrow ? PanelLeftOpen : PanelLeftClose} onClick={onTurn} />
      </div>
    </aside>
  );
}

export function Places({ narrow }: { readonly narrow: boolean }) {
  const t = useTexts(shellTexts);
  const session = useSession();
  return (
    <nav aria-label={t.menu} className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
      {sectionsFor(session).map((section, index) =>
        section.folded ? (
          narrow ? (
            <div key={section.name}>
              <hr className="mx-2 my-2 border-0 border-t border-line" />
              <PlaceList places={section.places} narrow />
            </div>
          ) : (
            <FoldedSection key={section.name} section={section} />
          )
        ) : (
          <div key={section.name ?? index} className="mt-3 first:mt-0">
            {section.name && !narrow && <h2 className="m-0 px-2 pb-1 text-12 font-medium text-text-3">{t[section.name]}</h2>}
            {section.name && narrow && <hr className="mx-2 my-2 border-0 border-t border-line" />}
            <PlaceList places={section.places} narrow={narrow} />
          </div>
        ),
      )}
    </nav>
  );
}

/** Open while one of its screens is shown; what a person opens or closes is kept in this browser. */
function FoldedSection({ section: { name, places } }: { readonly section: Section }) {
  const t = useTexts(shellTexts);
  const { pathname } = useLocation();
  const isHere = places.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`));
  const [isOpened, setOpened] = useState(() => readOpened().includes(String(name)));
  return (
    <details
      className="group mt-2"
      open={isHere || isOpened}
      onToggle={({ currentTarget: { open } }) => {
        if (isHere || open === isOpened) return;
        setOpened(open);
        keepOpened(String(name), open);
      }}
    >
      <summary className="flex min-h-8 list-none items-center gap-1 rounded-control px-2 text-12 font-medium text-text-3 hover:bg-soon-bg pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <span className="min-w-0 flex-1">{name && t[name]}</span>
        <ChevronDown aria-hidden className="size-3.5 transition-transform group-open:rotate-180" />
      </summary>
      <PlaceList places={places} narrow={false} />
    </details>
  );
}

const OPENED = 'menu-opened';
const readOpened = (): readonly string[] => (localStorage.getItem(OPENED) ?? '').split(',').filter(Boolean);
const keepOpened = (name: string, isOpen: boolean): void =>
  localStorage.setItem(OPENED, [...readOpened().filter((other) => other !== name), ...(isOpen ? [name] : [])].join(','));

function PlaceList({ places, narrow }: { readonly places: readonly Place[]; readonly narrow: boolean }) {
  return (
    <ul className="m-0 list-none p-0">
      {places.map((place) => (
        <li key={place.name}>
          <PlaceLink place={place} narrow={narrow} />
        </li>
      ))}
    </ul>
  );
}

const PLACE =
  'flex min-h-8 items-center gap-2.5 rounded-control px-2 text-13 no-underline transition-colors pointer-coarse:min-h-11 ' +
  'text-text-2 hover:bg-soon-bg hover:text-text';

export function PlaceLink({ place, narrow }: { readonly place: Place; readonly narrow: boolean }) {
  const t = useTexts(shellTexts);
  const name = t[place.name];
  const Icon = place.icon;
  const link = (
    <Link
      to={place.to}
      activeOptions={{ exact: place.to === '/', includeSearch: false }}
      activeProps={{ className: 'bg-accent-soft text-read font-medium hover:bg-accent-soft hover:text-read' }}
      className={cx(PLACE, narrow && 'justify-center')}
      {...(narrow ? { 'aria-label': name } : {})}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      {!narrow && <span className="min-w-0 flex-1 truncate">{name}</span>}
    </Link>
  );
  return narrow ? <Tooltip text={name}>{link}</Tooltip> : link;
}
