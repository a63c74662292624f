// What the panel shows of deliveries besides the catalog's endpoints: all attempts, and a live hint when something changed.
import { rolesFor } from '../../domain/identity/roles.ts';
import { type DeliveryAttempt, listAttempts } from '../../domain/webhooks/webhook-delivery.ts';
import { markWebhooksReviewed, type ReviewedWebhook, webhooksToReview } from '../../domain/webhooks/webhook-review.ts';
import { own, sql } from '../../kit/sql.ts';
import { type PanelStream, panelGet, panelPost, panelStream } from '../kit/endpoint.ts';

/** What `GET webhooks/{webhook_id}/deliveries/{delivery_id}/attempts` answers. */
export type AttemptsView = readonly DeliveryAttempt[];

const READERS = rolesFor({ scope: 'webhooks:read', risk: 'read' });

export const webhookEndpoints = [
  panelGet('webhooks/{webhook_id}/deliveries/{delivery_id}/attempts', {
    who: READERS,
    databaseRole: 'tenant',
    run: ({ db, params, account }): Promise<AttemptsView> =>
      listAttempts(db, params.webhook_id, params.delivery_id, account.role),
  }),
  panelGet('webhook-review', {
    who: ['owner'],
    databaseRole: 'platform',
    run: ({ db, account }): Promise<ReviewedWebhook[]> => webhooksToReview(db, account.id),
  }),
  panelPost('webhook-review/seen', {
    who: ['owner'],
    databaseRole: 'platform',
    run: async ({ db, account, actor, realNow }) => {
      await markWebhooksReviewed(db, account.id, actor, realNow);
      return { seen: true };
    },
  }),
  panelStream('webhooks/{webhook_id}/live', {
    who: READERS,
    stream: async ({ params: { webhook_id }, account, services }, stream) => {
      const found = await services.database.inTenant(account.id, 'read', (db) =>
        db.rows(sql`select id from ${own('webhooks')} where id = ${webhook_id} and deleted_at is null`),
      );
      if (found.length === 0) return stream.send({ event: 'gone', data: {} });
      await follow(stream, (listener) => services.onDelivery(webhook_id, listener));
    },
  }),
];

/** Changes within this time become one message. */
const QUIET_MS = 200;

/** Only says that something changed; the view then reads what its filter shows. */
async function follow(stream: PanelStream, watch: (listener: () => void) => () => void): Promise<void> {
  let timer: NodeJS.Timeout | null = null;
  const notify = () => {
    timer = null;
    stream.send({ event: 'changed', data: {} });
  };
  const stop = watch(() => {
    timer ??= setTimeout(notify, QUIET_MS);
  });
  try {
    if (!stream.closed.aborted) await new Promise((resolve) => stream.closed.addEventListener('abort', resolve, { once: true }));
  } finally {
    stop();
    if (timer !== null) clearTimeout(timer);
  }
}
