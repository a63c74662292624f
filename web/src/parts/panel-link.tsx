import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';

interface PanelLinkProps {
  /** An address within the panel that is put together from data: `/katalog/GET%20vehicles?x=1`. */
  readonly to: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A link to an address of the panel that is not written out in the code; where it is, use the router's Link. */
export function PanelLink({ to, className, children }: PanelLinkProps) {
  const { history, basepath } = useRouter();
  const address = `${basepath}${to}`;
  const open = (event: MouseEvent) => {
    // A new tab or window is the browser's own matter.
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
