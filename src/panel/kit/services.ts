// What a panel endpoint may use of the process besides its own transaction.

import type { DemoSignIn } from '../../demo/demo-people.ts';
import type { Catalog, CatalogEndpoint } from '../../domain/catalog/catalog.ts';
import type { Release } from '../../domain/keys/key-policy.ts';
import type { Secrets } from '../../domain/vault/secrets.ts';
import type { KeyRing } from '../../domain/vault/vault.ts';
import type { OpenWorld } from '../../domain/worlds/open-world.ts';
import type { Writer } from '../../domain/writes/write.ts';
import type { Database } from '../../kit/db.ts';
import type { Body } from '../../kit/endpoint.ts';
import type { Log } from '../../kit/log.ts';
import type { Copies } from '../../postgres/standbys.ts';
import type { SandboxActions } from '../../sandbox/sandbox-actions.ts';

/** A catalog endpoint as the process serves it. */
export interface ServedEndpoint extends CatalogEndpoint {
  readonly name: Readonly<{ en: string; tr: string }>;
  /** Null until the endpoint is implemented. */
  readonly body: Body | null;
}

/** The isolated sandboxes of the service. */
export interface PanelSandbox extends SandboxActions {
  readonly worlds: {
    /** The world of an account of production, which is created if there is none. */
    of(ownerId: string): Promise<OpenWorld>;
    find(ownerId: string): Promise<OpenWorld | null>;
  };
}

export interface PanelServices {
  readonly catalog: Catalog<ServedEndpoint>;
  /** Which endpoints are open to keys. */
  release(): Release | Promise<Release>;
  /** Requests of a key in the last minute, over all nodes. Asking does not count as one. */
  usedThisMinute(keyId: string): number | Promise<number>;
  /** The listener is called when any node queues a delivery for the webhook or finishes one. Returns a function that stops it. */
  onDelivery(webhookId: string, listener: () => void): () => void;
  /** The listener is called, for as long as the service runs, when any node has written any dealer's data. */
  onWritten(listener: () => void): void;
  /** Only for streams and endpoints with the database role `none`, which have no transaction of their own. */
  readonly database: Database;
  /** For exports and reports: reads on standbys. */
  readonly copies: Copies;
  readonly writer: Writer;
  readonly secrets: Secrets;
  readonly vault: KeyRing;
  /** `https://galeri.example`, without a slash at the end. */
  publicUrl(): string;
  /** Whether addresses on this machine itself may be called (ALLOW_LOOPBACK_TARGETS). */
  readonly loopbackTargets: boolean;
  /** Whether queued mail is sent; otherwise people hand links over themselves. */
  readonly canMail: boolean;
  /** How many keys that are not revoked an account may have. */
  readonly keysPerAccount: number;
  /** Whether a high limit needs two administrators, once there are two. */
  readonly fourEyes: boolean;
  /** Null unless SANDBOX=isolated. */
  readonly sandbox: PanelSandbox | null;
  /** Only for requests directly from this machine. Empty unless this is a private service with a demonstration. */
  demoSignIns(): Promise<readonly DemoSignIn[]>;
  /** Free space on the data disk; null if the system does not report it. */
  disk(): Promise<{ readonly free_bytes: number; readonly total_bytes: number } | null>;
  readonly version: string;
  /** Business time minus real time, in milliseconds. */
  clockOffset(): number;
  readonly log: Log;
}
