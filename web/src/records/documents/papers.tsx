// Papers that are drawn when their address is opened: who may have them, and the link that shows one, to be printed.
import { type LucideIcon, Printer } from 'lucide-react';
import { lazy, type MouseEvent, type ReactNode, Suspense, useState } from 'react';
import { buttonLook } from '../../parts/button.tsx';
import { useRole, useSession } from '../../session.ts';
import { canPreview, openPaper } from './paper-store.ts';

const PaperPreview = lazy(async () => ({ default: (await import('./paper-preview.tsx')).PaperPreview }));

/** A paper shows people whole: not for viewers, nor for an administrator who only looks in. */
export function useMayPrint(): boolean {
  const { look } = useSession();
  return useRole('owner', 'finance', 'sales') && !look;
}

interface PaperLinkProps {
  readonly href: string;
  /** What it is called where it is shown. */
  readonly title: string;
  readonly icon?: LucideIcon;
  readonly look?: 'primary' | 'secondary' | 'quiet';
  readonly label?: string | undefined;
  readonly onOpen?: () => void;
  /** What it was asked from closes: the shell shows it. */
  readonly isApart?: boolean;
  /** What is decided about it once it was seen. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** Shown over the screen where the browser can, else in a tab of its own; a middle click always opens that tab. */
export function PaperLink({ href, title, icon: Icon = Printer, look = 'secondary', label, onOpen, ...rest }: PaperLinkProps) {
  const { isApart = false, actions, children } = rest;
  const [isShown, setShown] = useState(false);
  const open = (event: MouseEvent) => {
    if (canPreview() && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      if (isApart) openPaper({ title, forms: [{ href }] });
      else setShown(true);
    }
    onOpen?.();
  };
  return (
    <>
      <a href={href} target="_blank" rel="noreferrer" aria-label={label} onClick={open} className={buttonLook(look)}>
        <Icon aria-hidden className="size-4 shrink-0" />
        {children}
      </a>
      {isShown && (
        <Suspense fallback={null}>
          <PaperPreview title={title} forms={[{ href }]} actions={actions} onClose={() => setShown(false)} />
        </Suspense>
      )}
    </>
  );
}
