// Live or sandbox. Links, because the environment is part of the address: another tab keeps its own.
import { useLocation } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { addressIn, type Environment, isSandbox } from '../environment.ts';
import { useTexts } from '../language.ts';
import { cx } from '../parts/cx.ts';
import { MenuItem, MenuLine } from '../parts/overlay/menu.tsx';
import { useSession } from '../session.ts';
import { shellTexts } from '../texts/shell.ts';

/** Follows the screen that is open. */
export function useAddressIn(): (environment: Environment) => string {
  useLocation({ select: ({ pathname }) => pathname });
  return addressIn;
}

export function EnvironmentSwitch({ className }: { readonly className?: string }) {
  const t = useTexts(shellTexts);
  const { may_use_sandbox } = useSession();
  const to = useAddressIn();
  if (!may_use_sandbox) return null;
  const current: Environment = isSandbox() ? 'sandbox' : 'production';
  return (
    <nav
      aria-label={t.environment}
      className={cx('flex shrink-0 overflow-hidden rounded-control border border-line-strong', className)}
    >
      {(['production', 'sandbox'] as const).map((environment) => (
        <a
          key={environment}
          href={to(environment)}
          aria-current={environment === current ? 'page' : undefined}
          className={cx(
            'flex min-h-[calc(var(--control)-2px)] items-center gap-1.5 px-2.5 text-13 font-medium no-underline',
            environment !== current && 'text-text-2 hover:bg-soon-bg hover:text-text',
            environment === current && (environment === 'sandbox' ? 'bg-sandbox text-on-sandbox' : 'bg-live-bg text-live'),
          )}
        >
          {environment === 'sandbox' && <FlaskConical aria-hidden className="size-3.5 shrink-0" />}
          {environment === 'sandbox' ? t.sandbox : t.live}
        </a>
      ))}
    </nav>
  );
}

/** In the menu of a phone, whose top bar has no room; in the sandbox the band leads back. */
export function EnvironmentItem() {
  const t = useTexts(shellTexts);
  const { may_use_sandbox } = useSession();
  const to = useAddressIn();
  if (!may_use_sandbox || isSandbox()) return null;
  return (
    <>
      <MenuLine />
      <MenuItem icon={FlaskConical} href={to('sandbox')}>
        {t.toSandbox}
      </MenuItem>
    </>
  );
}
