// A write under way. Whatever goes with its effect (events, times at which something ends by itself) is said here and committed
// with it: src/domain/writes/write.ts.
import type { Db } from './db.ts';
import type { Currency } from './money.ts';

export interface Actor {
  readonly type: 'cli' | 'panel' | 'api_key' | 'system';
  readonly name: string;
  /** Of someone in the panel: what histories call them, who, as what, from where, in which request. */
  readonly fullName?: string;
  readonly personId?: string;
  readonly role?: string;
  readonly ip?: string;
  readonly userAgent?: string | null;
  readonly requestId?: string;
}

/** What it takes to seal and find one account's personal data (domain/vault/vault.ts). */
export interface SealingKeys {
  readonly account: string;
  readonly ring: { readonly current: number; readonly keys: ReadonlyMap<number, Buffer> };
  readonly index: Buffer;
  /** Of the other keys at hand: values are found by these too while the key is being changed. */
  readonly otherIndexes: readonly Buffer[];
}

export interface NewEvent {
  /** `vehicle.reserved` */
  readonly kind: `${string}.${string}`;
  readonly id: string;
  /** Below /api/v1/. */
  readonly path: string;
  /** As the GET of that resource shows it. Left out where it is personal: then the event carries ids only. */
  readonly object?: unknown;
  readonly changed?: readonly string[];
  readonly previous?: Readonly<Record<string, unknown>>;
}

export interface Work {
  readonly db: Db;
  readonly account: CallingAccount;
  readonly now: Date;
  /** In the account's time zone. */
  readonly today: string;
  readonly actor: Actor;
  readonly keys: SealingKeys;
  /** Whether addresses on this machine itself may be called (ALLOW_LOOPBACK_TARGETS). */
  readonly loopbackTargets: boolean;
  emit(event: NewEvent): void;
  /** A part that can fail by itself, as one row of many: what it did and said is then undone, the rest stands. */
  step<T>(run: () => Promise<T>): Promise<T>;
  /**
   * The data set's own row, which every write of it locks last, from here on: for what must see no other write end before it does.
   */
  holdDataSet(): void;
  /**
   * The same transaction on the data of other dealers, each with its own account setting, events, version and audit; in the order of
   * their ids. They are to be found under the lock of the thing that this is about; cars are locked first, in the order of their ids
   * whoever has them. Nothing else names another account.
   */
  inAccounts<T>(dataSets: readonly string[], run: (works: ReadonlyMap<string, Work>) => Promise<T>): Promise<T>;
  /** What other subjects do when something happens in one, in the same transaction. */
  readonly consequences: Consequences;
  /** Something ends by itself then: the data set is looked at when the time has come. */
  endsAt(at: Date): void;
}

type Id = { readonly id: string };

/**
 * What one subject asks of others without knowing them: a car leaves stock, and whoever has an offer on it answers. Said by the subject
 * in which it happens, after its own events; who answers, and in which order, is domain/consequences.ts.
 */
export interface Consequences {
  /** The car is locked, and deleted or not `Stokta` any more. `except`: the agreement that it left for, which lives on. */
  vehicleLeftStock(work: Work, vehicle: Id, how: { readonly except: string | null }): Promise<void>;
  /** For good: nothing can be offered or boosted on it again. */
  listingClosed(work: Work, listing: Id & { readonly vehicle_id: string }): Promise<void>;
  reservationEnded(work: Work, reservation: EndedReservation): Promise<void>;
  saleCancelled(work: Work, sale: Id): Promise<void>;
  /** Who they were is to be forgotten wherever it stands; gives how many of each kind. Said before their own record forgets it. */
  customerErased(work: Work, customer: Id): Promise<{ readonly reservations: number; readonly tasks: number }>;
}

export interface EndedReservation extends Id {
  readonly vehicle_id: string;
  readonly kind: string;
  /** The offer, trade, auction or lot behind the hold. */
  readonly source_id: string | null;
  /** Released and expired both mean that an agreement behind it fell through. */
  readonly outcome: 'released' | 'expired' | 'completed';
}

export interface CallingAccount {
  readonly id: string;
  readonly timezone: string;
  /** As the process knows them, up to a second old; null where whoever acts does not. */
  readonly settings?: AccountSettings | null;
}

export interface AccountSettings {
  readonly default_currency: Currency;
  /** Of the plan; null is without limit. */
  readonly vehicle_limit: number | null;
}
