// Links that leave the service to a person: a phone, a mailbox, WhatsApp. In a sandbox none of them reaches anyone.
import type { AnchorHTMLAttributes, ReactNode } from 'react';
import { isSandbox } from '../environment.ts';

/** A message goes to the phone, or to whom the person chooses in WhatsApp. */
type Target = { readonly phone: string } | { readonly email: string } | { readonly message: string; readonly phone?: string };

interface OutsideLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target' | 'rel'> {
  readonly to: Target;
  /** What a sandbox shows instead of the link: the text alone, or nothing where there is no text. */
  readonly inSandbox: 'text' | 'nothing';
  /** Absent within a menu, whose item has the content; null would replace it. */
  readonly children?: ReactNode;
}

const hrefOf = (to: Target): string => {
  // wa.me wants digits alone.
  if ('message' in to) return `https://wa.me/${to.phone?.replace(/\D/g, '') ?? ''}?text=${encodeURIComponent(to.message)}`;
  return 'email' in to ? `mailto:${to.email}` : `tel:${to.phone}`;
};

export function OutsideLink({ to, inSandbox, children, ...look }: OutsideLinkProps) {
  if (isSandbox()) return inSandbox === 'text' ? <span className={look.className}>{children}</span> : null;
  const tab = 'message' in to ? { target: '_blank', rel: 'noreferrer' } : {};
  return (
    <a href={hrefOf(to)} {...tab} {...look}>
      {children}
    </a>
  );
}
