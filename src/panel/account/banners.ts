// Banners above every screen until someone of the account marks them as read.
import { type Banner, markRead, unreadBanners } from '../../domain/notifications/banners.ts';
import { fail } from '../../kit/errors.ts';
import { panelGet, panelPost } from '../kit/endpoint.ts';

/** A line of `GET notices`. */
export type BannerLine = Banner;

/** The roles that manage keys. */
const KEEPERS = ['owner', 'developer'] as const;

export const bannerEndpoints = [
  panelGet('notices', {
    who: KEEPERS,
    databaseRole: 'tenant',
    run: ({ db, session }): Promise<BannerLine[]> => unreadBanners(db, session.person.id),
  }),
  panelPost('notices/{notice_id}/read', {
    who: KEEPERS,
    databaseRole: 'tenant',
    run: async ({ db, params, session, realNow }) => {
      if (!(await markRead(db, params.notice_id, session.person.id, realNow))) fail('not_found');
      return { read: true };
    },
  }),
];
