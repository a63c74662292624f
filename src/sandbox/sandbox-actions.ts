// What a process does with worlds besides reading and writing in them. open-sandbox.ts implements it; tests may pass another.
import type { Files } from '../domain/files/file-store.ts';
import type { SandboxMessage } from '../domain/worlds/messages.ts';
import type { World } from '../domain/worlds/world.ts';
import type { WorldData } from '../domain/worlds/world-states.ts';
import type { Writer } from '../domain/writes/write.ts';
import type { Times } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import type { SealingKeys } from '../kit/work.ts';
import type { SandboxRule } from './people/rules.ts';

export interface SandboxParts {
  readonly writer: Writer;
  readonly files: () => Promise<Files>;
  readonly publicUrl: () => string;
}

export interface WorldReset {
  readonly data: WorldData;
  readonly keepWebhooks: boolean;
}

/** To an instant, or forward by a number of milliseconds. */
export type ClockTarget = Date | { readonly advanceMs: number };

export interface ClockMoved {
  readonly from: Date;
  readonly to: Date;
  /** How many transitions of each kind happened on the way. */
  readonly transitions: Readonly<Record<string, number>>;
  readonly events: number;
}

export interface MessageFilter {
  readonly limit: number;
  readonly offset: number;
  readonly channel?: 'E-posta' | 'WhatsApp' | 'SMS' | undefined;
  readonly to?: string | undefined;
}

export interface SandboxActions {
  /** Creates the world of an account that has none. */
  ensure(ownerId: string, times: Times): Promise<unknown>;
  /** Replaces the world of an account; the old one is out of reach at once. */
  reset(ownerId: string, how: WorldReset, times: Times): Promise<unknown>;
  /** Returns when everything that was due on the way is committed. */
  advance(world: World, to: ClockTarget): Promise<ClockMoved>;
  /** Newest first; one more than the limit if there are more. */
  messages(db: Db, keys: SealingKeys, filter: MessageFilter): Promise<readonly SandboxMessage[]>;
  /** How the simulated side answers. */
  readonly rules: readonly SandboxRule[];
}

export type OpenSandbox = (parts: SandboxParts) => SandboxActions;
