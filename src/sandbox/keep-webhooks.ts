// A reset keeps the webhooks of the old world, with their ids and secrets, so that an integrator's receiver needs no change.
import { sealSecret, tryOpenSecret } from '../domain/webhooks/webhook-secrets.ts';
import { newWebhookSecret } from '../domain/webhooks/webhook-signing.ts';
import { own, sql, theAccount } from '../kit/sql.ts';
import type { Work } from '../kit/work.ts';

interface Stored {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string | null;
  readonly status: string;
  readonly stopped_because: string | null;
  readonly secret_encrypted: Buffer;
  readonly secret_hint: string;
  readonly previous_secret_encrypted: Buffer | null;
  readonly previous_valid_until: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** Secrets are sealed for one account, so they are opened and sealed again. Failures of past deliveries are not counted. */
export async function keepWebhooks(from: Work, to: Work): Promise<void> {
  const stored =
    await from.db.rows<Stored>(sql`select id, url, events, description, status, stopped_because, secret_encrypted, secret_hint,
      previous_secret_encrypted, previous_valid_until, created_at, updated_at
    from ${own('webhooks')} where deleted_at is null order by id`);
  for (const hook of stored) {
    const moved = (column: 'secret_encrypted' | 'previous_secret_encrypted', sealed: Buffer): Buffer | null => {
      const secret = tryOpenSecret(from.keys, column, hook.id, sealed);
      return secret === null ? null : sealSecret(to.keys, column, hook.id, secret);
    };
    // An unreadable secret has stopped the webhook already, and its owner has to create a new one.
    const secret =
      moved('secret_encrypted', hook.secret_encrypted) ?? sealSecret(to.keys, 'secret_encrypted', hook.id, newWebhookSecret());
    const { previous_secret_encrypted: before } = hook;
    const previous = before === null ? null : moved('previous_secret_encrypted', before);
    await to.db.exec(sql`insert into webhooks (account_id, id, url, events, description, status, stopped_because, secret_encrypted, secret_hint,
        previous_secret_encrypted, previous_valid_until, created_at, updated_at)
      values (${theAccount}, ${hook.id}, ${hook.url}, ${hook.events}, ${hook.description}, ${hook.status}, ${hook.stopped_because}, ${secret},
        ${hook.secret_hint}, ${previous}, ${previous === null ? null : hook.previous_valid_until}, ${hook.created_at}, ${hook.updated_at})`);
  }
}
