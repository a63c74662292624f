// The number of unread notifications and banners together, with a link to their page.
import { Link } from '@tanstack/react-router';
import { Bell } from 'lucide-react';
import { useTexts } from '../language.ts';
import { useNotices } from '../records/notices.ts';
import { MAX_COUNTED, useUnread } from '../records/unread-notifications.ts';
import { useSession } from '../session.ts';
import { shellTexts } from '../texts/shell.ts';

export function NotificationBell() {
  const t = useTexts(shellTexts);
  const { account } = useSession();
  const count = useUnread().length + useNotices().length;
  if (account === null) return null;
  const label = count === 0 ? t.notifications : t.unreadNotifications(count > MAX_COUNTED ? `${MAX_COUNTED}+` : String(count));
  return (
    <Link
      to="/bildirimler"
      aria-label={label}
      title={label}
      className="relative inline-grid size-[var(--control)] shrink-0 place-items-center rounded-control text-text-2 hover:bg-soon-bg hover:text-text"
    >
      <Bell aria-hidden className="size-4" />
      {count > 0 && (
        <span
          aria-hidden
          className="tabular absolute bottom-[calc(50%+2px)] left-[calc(50%+2px)] min-w-4 rounded-[8px] bg-danger px-1 text-center text-11 leading-4 font-medium text-on-danger"
        >
          {count > MAX_COUNTED ? `${MAX_COUNTED}+` : count}
        </span>
      )}
    </Link>
  );
}
