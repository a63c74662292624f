// What a panel row may use of the process it runs in, besides its own transaction.
import type { Catalog, CatalogRow } from '../domain/catalog/catalog.ts';
import type { DemoSignIn } from '../domain/demo/demo-people.ts';
import type { Release } from '../domain/keys/key-policy.ts';
import type { Secrets } from '../domain/vault/secrets.ts';
import type { KeyRing } from '../domain/vault/vault.ts';
import type { Writer } from '../domain/writes/write.ts';
import type { Database } from '../kit/db.ts';
import type { Body } from '../kit/endpoint.ts';
import type { Log } from '../kit/log.ts';

/** A catalog row as the process serves it. */
export interface ServedRow extends CatalogRow {
  readonly name: Readonly<{ en: string; tr: string }>;
  /** Null until it is built. */
  readonly body: Body | null;
}

export interface PanelServices {
  readonly catalog: Catalog<ServedRow>;
  /** Which rows are open to keys. */
  release(): Release | Promise<Release>;
  /** Of a key's per-minute limit, over all nodes. Asking is no use of it. */
  usedThisMinute(keyId: string): number | Promise<number>;
  /** Called when something was queued for a webhook or its outcome is known, by whatever node. Returns how to stop. */
  onDelivery(webhookId: string, listener: () => void): () => void;
  /** For streams and rows of the door `none`, which have no transaction of their own; and for nothing else. */
  readonly database: Database;
  readonly writer: Writer;
  readonly secrets: Secrets;
  readonly vault: KeyRing;
  /** `https://galeri.example`, without a slash at the end. */
  publicUrl(): string;
  /** Whether addresses on this machine itself may be called (ALLOW_LOOPBACK_TARGETS). */
  readonly loopbackTargets: boolean;
  /** Whether queued mail will be sent; without it, links are handed over by whoever made them. */
  readonly canMail: boolean;
  /** Whether one more of this account is, this minute; counts it. */
  mayMail(accountId: string): Promise<boolean>;
  /** How many keys that are not revoked an account may have. */
  readonly keysPerAccount: number;
  /** Whether a high limit takes two administrators, where there are two. */
  readonly fourEyes: boolean;
  /** For requests straight from this machine alone; none unless this is a private service with a demonstration. */
  demoSignIns(): Promise<readonly DemoSignIn[]>;
  readonly version: string;
  readonly log: Log;
}
