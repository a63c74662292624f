// Webhooks that a developer made or changed before the role of a webhook's maker bounded its events. On the platform connection.
import type { Db } from '../../kit/db.ts';
import { sql } from '../../kit/sql.ts';
import { type Actor, audit } from '../writes/audit.ts';
import { eventsBeyond } from './event-rights.ts';

/** A webhook that delivers events which the developer who made it may not read. */
export interface ReviewedWebhook {
  readonly id: string;
  readonly url: string;
  readonly made_by: string;
  readonly events: readonly string[];
}

/** Until an owner has seen the list. Webhooks that were made under the rule have no such events. */
export async function webhooksToReview(db: Db, accountId: string): Promise<ReviewedWebhook[]> {
  const found = await db.rows<ReviewedWebhook>(sql`
    select w.id, w.url, w.events, a.actor as made_by
    from webhooks w join accounts on accounts.id = w.account_id and accounts.webhooks_reviewed_at is null
    cross join lateral (select actor from audit_log a where a.account_id = w.account_id and a.target = w.id::text
      and a.action in ('POST webhooks', 'PATCH webhooks/{webhook_id}') and a.role = 'developer' order by a.created_at limit 1) a
    where w.account_id = ${accountId} and w.deleted_at is null order by w.created_at, w.id`);
  return found
    .map((webhook) => ({ ...webhook, events: eventsBeyond('developer', webhook.events) }))
    .filter(({ events }) => events.length > 0);
}

export async function markWebhooksReviewed(db: Db, accountId: string, actor: Actor, realNow: Date): Promise<void> {
  await db.exec(
    sql`update accounts set webhooks_reviewed_at = ${realNow} where id = ${accountId} and webhooks_reviewed_at is null`,
  );
  await audit(db, actor, 'webhooks.reviewed', accountId, { accountId });
}
