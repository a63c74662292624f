// A write in progress. It collects the events to emit and the times of timed transitions, which src/domain/writes/write.ts commits
// together with its changes.
import type { Db } from './db.ts';
import type { NewFile } from './file.ts';
import type { Currency } from './money.ts';

export interface Actor {
  readonly type: 'cli' | 'panel' | 'api_key' | 'system';
  readonly name: string;
  /** Only for a person in the panel: the name that histories show, who they are, their role, their address and their request. */
  readonly fullName?: string;
  readonly personId?: string;
  readonly role?: string;
  readonly ip?: string;
  readonly userAgent?: string | null;
  readonly requestId?: string;
}

/** The keys that encrypt one account's personal data and make it findable (domain/vault/vault.ts). */
export interface SealingKeys {
  readonly account: string;
  readonly ring: { readonly current: number; readonly keys: ReadonlyMap<number, Buffer> };
  readonly index: Buffer;
  /** Index keys of the other vault secrets: while the key is being changed, values are looked up by these too. */
  readonly otherIndexes: readonly Buffer[];
}

export interface NewEvent {
  /** `vehicle.reserved` */
  readonly kind: `${string}.${string}`;
  readonly id: string;
  /** Below /api/v1/. */
  readonly path: string;
  /** The resource as its GET shows it. Left out where it is personal data: then the event carries ids only. */
  readonly object?: unknown;
  readonly changed?: readonly string[];
  readonly previous?: Readonly<Record<string, unknown>>;
}

export interface Work {
  readonly db: Db;
  readonly account: CallingAccount;
  /** Business time, of the records; real time, of deliveries, files and secrets (clock.ts). */
  readonly now: Date;
  readonly realNow: Date;
  /** In the account's time zone. */
  readonly today: string;
  /** Of the request that asked for it, where one did. */
  readonly requestId: string | null;
  readonly actor: Actor;
  readonly keys: SealingKeys;
  /** Whether addresses on this machine itself may be called (ALLOW_LOOPBACK_TARGETS). */
  readonly loopbackTargets: boolean;
  /** Where this service is on the web, for links that are printed or sent. */
  readonly publicUrl: string;
  emit(event: NewEvent): void;
  /** Runs a part that may fail alone, such as one row of many: its changes and events are then undone and the rest stays. */
  step<T>(run: () => Promise<T>): Promise<T>;
  /**
   * `updated_at` of the cars and customers that this write changes: later than any that was committed before. It holds the data set
   * until the write ends, so whatever is decided on is locked before; `STAMP` is the same value in a statement.
   */
  stamp(): Promise<Date>;
  /**
   * The same for a write that knows all it does at once: nothing is waited for and nothing held. This process proposes the time, and the
   * write's last statement checks that it is the latest; where it is not, the write is tried again with `stamp()`.
   */
  proposeStamp(): Date | Promise<Date>;
  /**
   * Locks the data set's row now instead of at the end of the write, so that no other write of it can commit before this one.
   */
  holdDataSet(): void;
  /** What was sent raises the data set's version already: at the end of the write it is read, and not raised again. */
  raisesVersion(): void;
  /**
   * The same transaction on the data of other dealers, each with its own account setting, events, version and audit; in the order of
   * their ids. Find them under the lock of the record that this is about; cars are locked first, in the order of their ids
   * whichever dealer has them. Nothing else may name another account.
   */
  inAccounts<T>(dataSets: readonly string[], run: (works: ReadonlyMap<string, Work>) => Promise<T>): Promise<T>;
  /** What other subjects do when something happens in one, in the same transaction. */
  readonly consequences: Consequences;
  /** A timed transition is due at this time: the data set is then looked at. */
  endsAt(at: Date): void;
  /**
   * A file that only this write can describe, such as a paper of what it decides. It is not made under locks: the first time the write is
   * undone, `make` runs outside of any transaction, and the write begins again and finds the file, stored, for its record to keep. `key`
   * says what the file shows: where that has changed meanwhile, another file is made.
   */
  generateFile<F extends NewFile>(key: string, make: (folder: string) => Promise<F>): F;
}

type Id = { readonly id: string };

/**
 * How one subject lets others react without importing them: a car leaves stock, and the offers on it are withdrawn. The subject
 * in which it happens calls these after its own events; domain/consequences.ts lists who reacts, in which order.
 */
export interface Consequences {
  /** The car is locked, and is deleted or no longer `Stokta`. `except`: the agreement for which it left, which goes on. */
  vehicleLeftStock(work: Work, vehicle: Id, how: { readonly except: string | null }): Promise<void>;
  /** Closed for good: it can no longer receive offers or boosts. */
  listingClosed(work: Work, listing: Id & { readonly vehicle_id: string }): Promise<void>;
  reservationEnded(work: Work, reservation: EndedReservation): Promise<void>;
  saleCancelled(work: Work, sale: Id): Promise<void>;
  /** The terms of a sale that nothing had fixed yet are others now. */
  saleTermsChanged(work: Work, sale: Id): Promise<void>;
  /** Its open rows have been replaced by new ones. */
  saleRestructured(work: Work, sale: Id): Promise<void>;
  /**
   * Erases what other records hold about the customer, before their own record is erased. Returns how many of each kind were
   * changed.
   */
  customerErased(work: Work, customer: Id): Promise<{ readonly reservations: number; readonly tasks: number }>;
}

export interface EndedReservation extends Id {
  readonly vehicle_id: string;
  readonly kind: string;
  /** The offer, trade, auction or lot behind the hold. */
  readonly source_id: string | null;
  /** Released and expired both mean that the agreement behind the hold failed. */
  readonly outcome: 'released' | 'expired' | 'completed';
}

export interface CallingAccount {
  readonly id: string;
  readonly timezone: string;
  /** Cached, up to a second old; null where the caller does not know them. */
  readonly settings?: AccountSettings | null;
}

export interface AccountSettings {
  readonly country: 'KKTC' | 'TR';
  readonly default_currency: Currency;
  /** The plan's limit; null means unlimited. */
  readonly vehicle_limit: number | null;
}
