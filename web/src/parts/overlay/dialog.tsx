// Layers over the screen: a dialog in the middle, a drawer from the right, the menu's sheet from the left. Focus stays inside and
// returns to where it was.
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useTexts } from '../../language.ts';
import { partsTexts } from '../../texts/parts.ts';
import { cx } from '../cx.ts';

interface LayerProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The title is only for screen readers. */
  readonly titleHidden?: boolean;
  readonly description?: ReactNode;
  readonly children: ReactNode;
  /** Buttons that stay visible while the content scrolls. */
  readonly footer?: ReactNode;
  /** The element that gets the focus on closing; by default the one that had it before. False does not move the focus. */
  readonly finalFocus?: (() => HTMLElement | false | null) | undefined;
}

const BACKDROP =
  'fixed inset-0 z-40 bg-[rgb(0_0_0/0.45)] transition-opacity data-[ending-style]:opacity-0 data-[starting-style]:opacity-0';
const POPUP = 'fixed z-40 flex flex-col bg-card text-text shadow-pop outline-none transition-[opacity,translate] ';

const PLACES = {
  middle:
    'top-1/2 left-1/2 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-1/2 rounded-card ' +
    'data-[ending-style]:opacity-0 data-[starting-style]:opacity-0',
  right:
    'inset-y-0 right-0 w-full max-w-[560px] border-l border-line ' +
    'data-[ending-style]:translate-x-4 data-[ending-style]:opacity-0 data-[starting-style]:translate-x-4 data-[starting-style]:opacity-0',
  left:
    'inset-y-0 left-0 w-[min(300px,85vw)] border-r border-line ' +
    'data-[ending-style]:-translate-x-4 data-[ending-style]:opacity-0 data-[starting-style]:-translate-x-4 data-[starting-style]:opacity-0',
} as const;

function Layer({
  open,
  onClose,
  title,
  titleHidden = false,
  description,
  children,
  footer,
  finalFocus,
  place,
  width,
}: LayerProps & { readonly place: keyof typeof PLACES; readonly width?: string }) {
  const t = useTexts(partsTexts);
  const opener = useOpener(open);
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        {/* Over another layer too: what lies below it waits. */}
        <Base.Backdrop forceRender className={BACKDROP} />
        <Base.Popup data-layer className={cx(POPUP, PLACES[place], width)} finalFocus={finalFocus ?? opener}>
          <header className={cx('flex items-start gap-3 px-4 pt-3.5', titleHidden ? 'sr-only' : 'pb-2')}>
            <div className="min-w-0 flex-1">
              <Base.Title className="m-0 text-16 font-semibold wrap-anywhere">{title}</Base.Title>
              {description && <Base.Description className="mt-1 mb-0 text-13 text-text-2">{description}</Base.Description>}
            </div>
            <Base.Close
              aria-label={t.close}
              className="grid size-8 shrink-0 place-items-center rounded-control text-text-2 hover:bg-soon-bg"
            >
              <X aria-hidden className="size-4" />
            </Base.Close>
          </header>
          <div className={cx('min-h-0 flex-1 overflow-y-auto', !titleHidden && 'px-4 py-2')}>{children}</div>
          {footer && <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">{footer}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/**
 * The element that had the focus before opening. Read during rendering, because a field inside may take the focus at once. If it
 * no longer exists (an item of a menu), Base UI decides.
 */
function useOpener(open: boolean): () => HTMLElement | true {
  const before = useRef<{ open: boolean; element: Element | null }>({ open: false, element: null });
  if (open && !before.current.open) before.current.element = document.activeElement;
  before.current.open = open;
  return () => {
    const { element } = before.current;
    return element instanceof HTMLElement && element.isConnected && element !== document.body ? element : true;
  };
}

export function Dialog({ wide = false, ...rest }: LayerProps & { readonly wide?: boolean }) {
  return <Layer {...rest} place="middle" width={wide ? 'max-w-[880px]' : 'max-w-[480px]'} />;
}

/** A detail beside its list. Open it by the address, so that it can be linked and Back closes it. */
export function Drawer({ wide = false, ...rest }: LayerProps & { readonly wide?: boolean }) {
  return <Layer {...rest} place="right" {...(wide ? { width: 'max-w-[820px]' } : {})} />;
}

export function Sheet(props: LayerProps) {
  return <Layer {...props} place="left" />;
}
