// A write in progress. It collects the events to emit and the times of timed transitions, which src/domain/writes/write.ts commits
// together with its changes.
import type { Db } from './db.ts';
import type { NewFile } from './file.ts';
import type { Currency } from './money.ts';

export interface Actor {
  readonly type: 'cli' | 'panel' | 'api_key' | 'system';
  readonly name: string;
  /** Only for a person in the panel: the name in histories, the person's id, role, address and request. */
  readonly fullName?: string;
  readonly personId?: string;
  readonly role?: string;
  readonly ip?: string;
  readonly userAgent?: string | null;
  readonly requestId?: string;
  /** Of an agent that acts with the key: its client, and who confirmed the write. */
  readonly via?: Readonly<object> | undefined;
}

/** The keys that encrypt one account's personal data and index it (domain/vault/vault.ts). */
export interface SealingKeys {
  readonly account: string;
  readonly ring: { readonly current: number; readonly keys: ReadonlyMap<number, Buffer> };
  readonly index: Buffer;
  /** Index keys of the other vault secrets: while the key is being changed, values are looked up with these too. */
  readonly otherIndexes: readonly Buffer[];
}

export interface NewEvent {
  /** `vehicle.reserved` */
  readonly kind: `${string}.${string}`;
  readonly id: string;
  /** Below /api/v1/. */
  readonly path: string;
  /** The resource as its GET returns it. Absent for personal data: then the event carries ids only. */
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
  /** The id of the API or panel request, if there is one. */
  readonly requestId: string | null;
  readonly actor: Actor;
  readonly keys: SealingKeys;
  /** Whether addresses on this machine itself may be called (ALLOW_LOOPBACK_TARGETS). */
  readonly loopbackTargets: boolean;
  /** The service's own address, for links that are printed or sent. */
  readonly publicUrl: string;
  emit(event: NewEvent): void;
  /** Runs a part of the write in a savepoint. If it throws, its changes and events are rolled back; the rest of the write continues. */
  step<T>(run: () => Promise<T>): Promise<T>;
  /**
   * `updated_at` of the cars and customers that a bulk write changes: later than any committed before. It locks the data set until
   * the write ends, so all other records are locked before; `STAMP` is the same value in a statement.
   */
  stamp(): Promise<Date>;
  /**
   * The same for a write that knows all its statements at once: it neither waits nor locks. This process proposes the time, and
   * the write's last statement checks that it is the latest; if it is not, the write is repeated with `stamp()`.
   */
  proposeStamp(): Date | Promise<Date>;
  /**
   * `updated_at` of every other record that this write creates or changes: the stamp if the write has one, else a proposed one, which
   * neither waits nor locks. If it is not the latest at the end, the write is repeated.
   */
  updatedAt(): Date;
  /**
   * Locks the data set's row now instead of at the end of the write, so that no other write of it can commit before this one.
   */
  holdDataSet(): void;
  /**
   * A statement of this write stores this event itself and has raised the data set's version: at the end of the write the version is
   * read, and not raised again.
   */
  raisesVersion(event: NewEvent): void;
  /**
   * The same transaction on the data of other dealers, each with its own account setting, events, version and audit, in id order.
   * Find the dealers under the lock of the shared record; cars are locked first, in id order across dealers. This is the only way
   * to name another account.
   */
  inAccounts<T>(dataSets: readonly string[], run: (works: ReadonlyMap<string, Work>) => Promise<T>): Promise<T>;
  /** Reactions of other subjects, in the same transaction. */
  readonly consequences: Consequences;
  /** A timed transition is due at this time: the data set is then checked. */
  endsAt(at: Date): void;
  /**
   * Returns the stored file whose content `key` identifies. If it does not exist yet, this throws: the writer rolls the write back, runs
   * `make` outside the transaction and repeats the write (domain/writes/generated-files.ts). Do not catch the error.
   */
  generateFile<F extends NewFile>(key: string, make: (folder: string) => Promise<F>): F;
}

type Id = { readonly id: string };

/**
 * How one subject lets others react without importing them: a car leaves stock, and the offers on it are withdrawn. The subject
 * of the change calls these after its own events; domain/consequences.ts lists the reactions in order.
 */
export interface Consequences {
  /** The car is locked, and is deleted or no longer `Stokta`. `except`: the agreement for which it left, which stays valid. */
  vehicleLeftStock(work: Work, vehicle: Id, how: { readonly except: string | null }): Promise<void>;
  /** Closed for good: it can no longer receive offers or boosts. */
  listingClosed(work: Work, listing: Id & { readonly vehicle_id: string }): Promise<void>;
  /** A consumer made an offer for a published car. */
  offerReceived(work: Work, offer: Id): Promise<void>;
  reservationEnded(work: Work, reservation: EndedReservation): Promise<void>;
  saleCancelled(work: Work, sale: Id): Promise<void>;
  /** The terms of a sale changed before anything fixed them. */
  saleTermsChanged(work: Work, sale: Id): Promise<void>;
  /** Its open installments have been replaced by new ones. */
  saleRestructured(work: Work, sale: Id): Promise<void>;
  /**
   * Erases data about the customer in other records, before their own record is erased. Returns how many of each kind were
   * changed.
   */
  customerErased(work: Work, customer: Id): Promise<{ readonly reservations: number; readonly tasks: number }>;
}

export interface EndedReservation extends Id {
  readonly vehicle_id: string;
  readonly kind: string;
  /** The offer, trade, auction or lot that the reservation belongs to. */
  readonly source_id: string | null;
  /** Released and expired both mean that the agreement failed. */
  readonly outcome: 'released' | 'expired' | 'completed';
}

export interface CallingAccount {
  readonly id: string;
  readonly timezone: string;
  /** Cached, up to a second old; null if the caller does not know them. */
  readonly settings?: AccountSettings | null;
}

export interface AccountSettings {
  readonly country: 'KKTC' | 'TR';
  readonly default_currency: Currency;
  /** The plan's limit; null means unlimited. */
  readonly vehicle_limit: number | null;
}
