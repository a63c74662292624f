// Layers over the screens. Their code is loaded after the first screen, because none is visible at first.
import { useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useTexts } from '../language.ts';
import { Sheet } from '../parts/overlay/dialog.tsx';
import { ReauthDialog } from '../parts/overlay/reauth-dialog.tsx';
import { Toasts } from '../parts/overlay/toast.tsx';
import { closePaper, useShownPaper } from '../records/documents/paper-store.ts';
import { shellTexts } from '../texts/shell.ts';
import { CommandPalette } from './command-palette.tsx';
import { SETTINGS } from './navigation.ts';
import { Shortcuts } from './shortcuts.tsx';
import { PlaceLink, Places } from './sidebar.tsx';

const PaperPreview = lazy(async () => ({ default: (await import('../records/documents/paper-preview.tsx')).PaperPreview }));

export type Layer = 'menu' | 'palette' | 'keys' | null;

export function Layers({ open, onClose }: { readonly open: Layer; readonly onClose: () => void }) {
  return (
    <>
      <MenuSheet open={open === 'menu'} onClose={onClose} />
      <CommandPalette open={open === 'palette'} onClose={onClose} />
      <Shortcuts open={open === 'keys'} onClose={onClose} />
      <ReauthDialog />
      <OpenPaper />
      <Toasts />
    </>
  );
}

/** A paper that was asked for by a menu or a message. */
function OpenPaper() {
  const paper = useShownPaper();
  return (
    paper && (
      <Suspense fallback={null}>
        <PaperPreview {...paper} onClose={closePaper} />
      </Suspense>
    )
  );
}

/** The same menu below 1024 px, opened by a button. */
function MenuSheet({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const t = useTexts(shellTexts);
  const path = useRouterState({ select: (state) => state.location.href });
  const openedAt = useRef(path);
  // Navigation closes the sheet.
  useEffect(() => {
    if (open && openedAt.current !== path) onClose();
    openedAt.current = path;
  }, [open, path, onClose]);
  return (
    <Sheet open={open} onClose={onClose} title={t.menu}>
      <div className="-mx-4">
        <Places narrow={false} />
        <div className="border-t border-line px-2 pt-2">
          <PlaceLink place={SETTINGS} narrow={false} />
        </div>
      </div>
    </Sheet>
  );
}
