// The frame around every screen: skip link, menu, top bar, banners, and the place of the screen itself.
import { Outlet } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTexts } from '../language.ts';
import { ReauthDialog } from '../parts/reauth-dialog.tsx';
import { shellTexts } from '../texts/shell.ts';
import { Banners } from './banners.tsx';
import { CommandPalette } from './command-palette.tsx';
import { MenuSheet, Sidebar } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';

const NARROW = 'galeri.menu';

export function Shell() {
  const t = useTexts(shellTexts);
  const [menuOpen, setMenuOpen] = useState(false);
  const [paletteOpen, setPaletteOpen] = useState(false);
  const [narrow, setNarrow] = useState(() => localStorage.getItem(NARROW) === 'narrow');
  usePaletteShortcut(() => setPaletteOpen(true));
  const turn = () => {
    localStorage.setItem(NARROW, narrow ? 'wide' : 'narrow');
    setNarrow(!narrow);
  };
  return (
    <div className="flex min-h-dvh">
      <a
        href="#content"
        className="absolute top-2 left-2 z-50 -translate-y-24 rounded-control bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        {t.skip}
      </a>
      <Sidebar narrow={narrow} onTurn={turn} />
      <MenuSheet open={menuOpen} onClose={() => setMenuOpen(false)} />
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar onMenu={() => setMenuOpen(true)} onPalette={() => setPaletteOpen(true)} />
        <Banners />
        <main id="content" tabIndex={-1} className="mx-auto w-full max-w-[var(--content-max)] flex-1 px-4 py-5 sm:px-6">
          <Outlet />
        </main>
      </div>
      <CommandPalette open={paletteOpen} onClose={() => setPaletteOpen(false)} />
      <ReauthDialog />
    </div>
  );
}

function usePaletteShortcut(open: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        open();
      }
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
}
