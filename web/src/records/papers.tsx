// Papers that are drawn when their address is opened: who may have them, and the link that opens one in a tab of its own, to be printed.
import { type LucideIcon, Printer } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttonLook } from '../parts/button.tsx';
import { useRole, useSession } from '../session.ts';

/** A paper shows people whole: not for viewers, nor for an administrator who only looks in. */
export function useMayPrint(): boolean {
  const { look } = useSession();
  return useRole('owner', 'finance', 'sales') && !look;
}

interface PaperLinkProps {
  readonly href: string;
  readonly icon?: LucideIcon;
  readonly look?: 'primary' | 'secondary' | 'quiet';
  readonly label?: string | undefined;
  readonly onOpen?: () => void;
  readonly children: ReactNode;
}

export function PaperLink({ href, icon: Icon = Printer, look = 'secondary', label, onOpen, children }: PaperLinkProps) {
  return (
    <a href={href} target="_blank" rel="noreferrer" aria-label={label} onClick={onOpen} className={buttonLook(look)}>
      <Icon aria-hidden className="size-4 shrink-0" />
      {children}
    </a>
  );
}
