// What the account should know: shown above every screen until someone marks it as read.
import { markRead, type Notice, unreadNotices } from '../domain/notifications/banners.ts';
import { fail } from '../kit/errors.ts';
import { panelGet, panelPost } from './endpoint.ts';

/** A line of `GET notices`. */
export type NoticeLine = Notice;

/** Those who look after keys. */
const KEEPERS = ['owner', 'developer'] as const;

export const noticeRows = [
  panelGet('notices', { who: KEEPERS, door: 'tenant', run: ({ db }): Promise<NoticeLine[]> => unreadNotices(db) }),
  panelPost('notices/{notice_id}/read', {
    who: KEEPERS,
    door: 'tenant',
    run: async ({ db, params, now }) => {
      if (!(await markRead(db, params.notice_id, now))) fail('not_found');
      return { read: true };
    },
  }),
];
