// The unread banners above every page.
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useTexts } from '../language.ts';
import { NoticeItem } from '../records/documents/notice-item.tsx';
import { useNotices } from '../records/notices.ts';
import { noticesTexts } from '../texts/notices.ts';

export function NoticeBanner() {
  const t = useTexts(noticesTexts);
  const unread = useNotices();
  const [all, setAll] = useState(false);
  // The page of notifications shows them itself.
  const isShownBelow = useLocation({ select: ({ pathname }) => pathname === '/bildirimler' });
  if (isShownBelow || unread.length === 0) return null;
  return (
    <div className="border-b border-line bg-live-bg px-4 py-1.5 text-13 text-live sm:px-6">
      <ul className="m-0 flex list-none flex-col gap-1.5 p-0">
        {(all ? unread : unread.slice(0, 1)).map((notice) => (
          <NoticeItem key={notice.id} notice={notice} />
        ))}
      </ul>
      {unread.length > 1 && (
        <button type="button" aria-expanded={all} onClick={() => setAll(!all)} className="min-h-6 font-medium underline">
          {all ? t.fewer : t.more(unread.length - 1)}
        </button>
      )}
    </div>
  );
}
