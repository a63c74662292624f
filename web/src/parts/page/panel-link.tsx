import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';

interface PanelLinkProps {
  /** A panel address made from data: `/katalog/GET%20vehicles?x=1`. */
  readonly to: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A link to a computed panel address; for fixed addresses use the router's Link. */
export function PanelLink({ to, className, children }: PanelLinkProps) {
  const { history, basepath } = useRouter();
  const address = `${basepath}${to}`;
  const open = (event: MouseEvent) => {
    // The browser handles clicks that open a new tab or window.
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.push(address);
  };
  return (
    <a href={address} onClick={open} className={className}>
      {children}
    </a>
  );
}
