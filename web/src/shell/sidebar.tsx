import { Link } from '@tanstack/react-router';
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { useTexts } from '../language.ts';
import { IconButton } from '../parts/button.tsx';
import { cx } from '../parts/cx.ts';
import { Tooltip } from '../parts/overlay/tooltip.tsx';
import { useSession } from '../session.ts';
import { shellTexts } from '../texts/shell.ts';
import { linkOf, type Place, SETTINGS, type Section, sectionsFor } from './navigation.ts';
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
          !narrow && <FoldedSection key={section.name} section={section} />
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

function FoldedSection({ section: { name, places } }: { readonly section: Section }) {
  const t = useTexts(shellTexts);
  return (
    <details className="mt-3">
      <summary className="flex min-h-8 items-center rounded-control px-2 text-12 font-medium text-text-3 hover:bg-soon-bg pointer-coarse:min-h-11">
        {name && t[name]} ({places.length})
      </summary>
      <PlaceList places={places} narrow={false} />
    </details>
  );
}

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
      {...linkOf(place)}
      activeOptions={{ exact: place.to === '/', includeSearch: place.soon !== undefined }}
      // An item that leads to the catalog's vote is never marked as active.
      activeProps={place.soon ? {} : { className: 'bg-accent-soft text-read font-medium hover:bg-accent-soft hover:text-read' }}
      className={cx(PLACE, narrow && 'justify-center')}
      {...(narrow ? { 'aria-label': place.soon ? `${name} (${t.soon})` : name } : {})}
      {...(place.soon && !narrow ? { title: t.soonHint(name) } : {})}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      {!narrow && <span className="min-w-0 flex-1 truncate">{name}</span>}
      {!narrow && place.soon && (
        <span className="rounded-badge border border-dashed border-line px-1 text-11 text-text-3">{t.soon}</span>
      )}
    </Link>
  );
  return narrow ? <Tooltip text={place.soon ? t.soonHint(name) : name}>{link}</Tooltip> : link;
}
