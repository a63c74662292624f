import { LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';
import { Tooltip } from './overlay/tooltip.tsx';

type Look = 'primary' | 'secondary' | 'quiet' | 'danger';

const BASE =
  'inline-flex min-h-[var(--control)] items-center justify-center gap-1.5 rounded-control px-3 text-13 font-medium whitespace-nowrap ' +
  'transition-colors select-none no-underline disabled:cursor-not-allowed disabled:opacity-55 ' +
  'aria-disabled:cursor-not-allowed aria-disabled:opacity-55';

const LOOKS: Readonly<Record<Look, string>> = {
  primary: 'bg-accent text-on-accent hover:enabled:brightness-110 border border-transparent',
  secondary: 'bg-card text-text border border-line-strong hover:enabled:bg-subtle',
  quiet: 'bg-transparent text-text-2 border border-transparent hover:enabled:bg-soon-bg hover:enabled:text-text',
  danger: 'bg-danger text-on-danger border border-transparent hover:enabled:brightness-110',
};

/** Makes a link look like a button: `<Link className={buttonLook('primary')}>`. */
export function buttonLook(look: Look = 'secondary'): string {
  return cx(BASE, LOOKS[look], 'hover:brightness-105');
}

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: Look;
  readonly icon?: LucideIcon;
  /** While the action runs, the button shows it, keeps its width and cannot be pressed again. */
  readonly busy?: boolean;
}

export function Button({ look = 'secondary', icon: Icon, busy = false, className, children, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={cx(BASE, LOOKS[look], className)}
    >
      {busy ? (
        <LoaderCircle aria-hidden className="size-4 animate-spin" />
      ) : (
        Icon && <Icon aria-hidden className="size-4 shrink-0" />
      )}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  /** The accessible name and the tooltip. */
  readonly label: string;
  readonly icon: LucideIcon;
  readonly badge?: ReactNode;
}

export function IconButton({ label, icon: Icon, badge, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        className={cx(
          'relative inline-grid size-[var(--control)] shrink-0 place-items-center rounded-control text-text-2',
          'transition-colors hover:bg-soon-bg hover:text-text disabled:opacity-55',
          className,
        )}
      >
        <Icon aria-hidden className="size-4" />
        {badge}
      </button>
    </Tooltip>
  );
}
