// Banners that the panel shows to an account: an endpoint of one of its keys went live, a request for a limit was decided.
import type { Db } from '../../kit/db.ts';
import type { Text } from '../../kit/errors.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';

interface KeyName {
  readonly id: string;
  readonly name: string;
}

export type NewBanner =
  | {
      readonly kind: 'row.opened' | 'row.closed';
      readonly data: { readonly endpoint: string; readonly name: Text; readonly keys: readonly KeyName[] };
    }
  | {
      readonly kind: 'limit.approved' | 'limit.refused';
      readonly data: { readonly key: KeyName; readonly per_minute: number; readonly note: string | null };
    }
  | {
      /** To each owner: an administrator wants to add an owner, or has added one. */
      readonly kind: 'owner.proposed' | 'owner.invited';
      readonly data: { readonly full_name: string; readonly email: string; readonly by: string };
    }
  | {
      /** To each owner: a developer asks for endpoints of a key that their role may not use. */
      readonly kind: 'keys.rows_requested';
      readonly data: { readonly key: KeyName; readonly rows: number; readonly by: string };
    };

export type Banner = NewBanner & { readonly id: string; readonly created_at: string };

const MAX_SHOWN = 20;

/** With the tenant role: unread banners of the account and of this person, newest first. */
export const unreadBanners = (db: Db, personId: string): Promise<Banner[]> =>
  db.rows(sql`select id, kind, data, utc_text(created_at) as created_at from ${own('notices')}
    where read_at is null and (person_id is null or person_id = ${personId}) order by notices.created_at desc, id desc limit ${MAX_SHOWN}`);

/** With the tenant role. False if there is no such banner. */
export async function markRead(db: Db, id: string, personId: string, realNow: Date): Promise<boolean> {
  return (
    (await db.exec(
      sql`update notices set read_at = coalesce(read_at, ${realNow}) where account_id = ${theAccount} and id = ${id}
        and (person_id is null or person_id = ${personId})`,
    )) === 1
  );
}
