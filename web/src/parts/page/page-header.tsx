import { Link, type LinkProps, useNavigate } from '@tanstack/react-router';
import { type LucideIcon, Plus } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { isSandbox } from '../../environment.ts';
import { buttonLook } from '../button.tsx';
import { useShortcut } from '../table/row-keys.ts';

let shownBefore = false;

interface PageHeaderProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** A link to the parent page, such as the list. */
  readonly above?: ReactNode;
  readonly actions?: ReactNode;
  /** Badges beside the title. */
  readonly beside?: ReactNode;
}

/** The h1 of a screen. It takes the focus when the screen changes, so that screen readers announce it. */
export function PageHeader({ title, description, above, actions, beside }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // On the first page the focus stays at the top, where the skip link is.
    if (shownBefore) heading.current?.focus({ preventScroll: true });
    shownBefore = true;
  }, []);
  useEffect(() => {
    document.title = isSandbox() ? `${title} · Sandbox · Galeri` : `${title} · Galeri`;
  }, [title]);
  return (
    <header className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-72">
        {above && <div className="mb-1 text-13 text-text-2">{above}</div>}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 ref={heading} tabIndex={-1} className="m-0 text-24 font-semibold tracking-tight wrap-anywhere">
            {title}
          </h1>
          {beside}
        </div>
        {description && <p className="mt-1 mb-0 max-w-[72ch] text-text-2">{description}</p>}
      </div>
      {actions && <div className="flex flex-wrap gap-2 print:hidden">{actions}</div>}
    </header>
  );
}

interface NewRecordLinkProps {
  readonly to: NonNullable<LinkProps['to']>;
  readonly icon?: LucideIcon;
  readonly children: string;
}

/** The action of a list that begins a new record. The shortcut `c` does the same. */
export function NewRecordLink({ to, icon: Icon = Plus, children }: NewRecordLinkProps) {
  const navigate = useNavigate();
  useShortcut('c', () => navigate({ to }));
  return (
    <Link to={to} className={buttonLook('primary')}>
      <Icon aria-hidden className="size-4" />
      {children}
    </Link>
  );
}
