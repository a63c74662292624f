// The frame around every screen: skip link, menu, top bar, banners, and the place of the screen itself.
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { isSandbox } from '../environment.ts';
import { useTexts } from '../language.ts';
import { useShortcut } from '../parts/table/row-keys.ts';
import { useSettled } from '../settled.tsx';
import { shellTexts } from '../texts/shell.ts';
import { Banners } from './banners.tsx';
import type { Layer } from './layers.tsx';
import { Sidebar } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';

const NARROW = 'galeri.menu';
const SandboxBand = lazy(async () => ({ default: (await import('./sandbox-band.tsx')).SandboxBand }));
const Layers = lazy(async () => ({ default: (await import('./layers.tsx')).Layers }));

export function Shell() {
  const t = useTexts(shellTexts);
  const [layer, setLayer] = useState<Layer>(null);
  const isSettled = useSettled();
  const [narrow, setNarrow] = useState(() => localStorage.getItem(NARROW) === 'narrow');
  usePaletteShortcut(() => setLayer('palette'));
  useShortcut('?', () => setLayer('keys'));
  const turn = () => {
    localStorage.setItem(NARROW, narrow ? 'wide' : 'narrow');
    setNarrow(!narrow);
  };
  return (
    <>
      {isSandbox() && (
        <div className="contents print:hidden">
          <Suspense fallback={<div className="h-(--band)" />}>
            <SandboxBand />
          </Suspense>
        </div>
      )}
      <div className="flex min-h-[calc(100dvh-var(--band))]">
        <a
          href="#content"
          className="print:hidden absolute top-2 left-2 z-50 -translate-y-24 rounded-control bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
        >
          {t.skip}
        </a>
        <div className="contents print:hidden">
          <Sidebar narrow={narrow} onTurn={turn} />
        </div>
        <div className="flex min-w-0 flex-1 flex-col">
          <div className="contents print:hidden">
            <TopBar onMenu={() => setLayer('menu')} onPalette={() => setLayer('palette')} />
            <Banners />
          </div>
          <main id="content" tabIndex={-1} className="mx-auto w-full max-w-[var(--content-max)] flex-1 px-4 py-5 sm:px-6">
            <Outlet />
          </main>
        </div>
        {(isSettled || layer !== null) && (
          <Suspense>
            <Layers open={layer} onClose={() => setLayer(null)} />
          </Suspense>
        )}
      </div>
    </>
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
