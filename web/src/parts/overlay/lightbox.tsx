// Shows pictures over the whole window, one at a time, with arrows, swipes and Escape. The focus returns to where it was.
import { Dialog as Base } from '@base-ui/react/dialog';
import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import { useTexts } from '../../language.ts';
import { partsTexts } from '../../texts/parts.ts';
import { IconButton } from '../button.tsx';

interface LightboxProps {
  /** For screen readers, including the picture's number. */
  readonly title: string;
  readonly at: number;
  readonly count: number;
  readonly onMove: (at: number) => void;
  readonly onClose: () => void;
  readonly names: { readonly previous: string; readonly next: string };
  readonly caption?: ReactNode;
  /** Buttons beside the close button. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The horizontal distance in pixels that counts as a swipe. */
const SWIPE = 48;

/** Mounted while it is open. Dark in both themes. */
export function Lightbox({ title, at, count, onMove, onClose, names, caption, actions, children }: LightboxProps) {
  const t = useTexts(partsTexts);
  const swipe = useSwipe(at, count, onMove);
  const keys = (event: KeyboardEvent) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (to >= 0 && to < count) onMove(to);
  };
  return (
    <Base.Root open onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Popup
          data-layer
          data-theme="dark"
          onKeyDown={keys}
          className="fixed inset-0 z-40 flex flex-col bg-bg text-text outline-none"
        >
          <header className="flex items-center gap-2 px-3 py-2">
            <Base.Title className="tabular m-0 min-w-0 flex-1 truncate text-14 font-medium">{title}</Base.Title>
            {actions}
            <Base.Close
              aria-label={t.close}
              className="grid size-[var(--control)] place-items-center rounded-control text-text-2 hover:bg-soon-bg hover:text-text"
            >
              <X aria-hidden className="size-5" />
            </Base.Close>
          </header>
          <div className="flex min-h-0 flex-1 items-center gap-1 px-1 sm:gap-2 sm:px-2">
            <IconButton label={names.previous} icon={ChevronLeft} disabled={at === 0} onClick={() => onMove(at - 1)} />
            <div className="grid h-full min-w-0 flex-1 touch-pan-y place-items-center" {...swipe}>
              {children}
            </div>
            <IconButton label={names.next} icon={ChevronRight} disabled={at === count - 1} onClick={() => onMove(at + 1)} />
          </div>
          <p className="m-0 min-h-12 px-4 py-3 text-center text-14 wrap-anywhere">{caption}</p>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function useSwipe(at: number, count: number, onMove: (at: number) => void) {
  const from = useRef<{ readonly x: number; readonly y: number } | null>(null);
  return {
    onPointerDown: ({ pointerType, clientX, clientY }: PointerEvent) => {
      from.current = pointerType === 'mouse' ? null : { x: clientX, y: clientY };
    },
    onPointerUp: ({ clientX, clientY }: PointerEvent) => {
      const start = from.current;
      from.current = null;
      if (start === null) return;
      const [x, y] = [clientX - start.x, clientY - start.y];
      const to = at + (x < 0 ? 1 : -1);
      if (Math.abs(x) > SWIPE && Math.abs(x) > Math.abs(y) && to >= 0 && to < count) onMove(to);
    },
  };
}
