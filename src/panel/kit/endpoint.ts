// A panel endpoint is declared like an endpoint of the catalog, with a session instead of a key. src/http/panel/api.ts runs these.
import type { Role } from '../../domain/identity/roles.ts';
import type { CreateBody } from '../../domain/records/body.ts';
import type { Fields } from '../../domain/records/fields.ts';
import type { World } from '../../domain/worlds/world.ts';
import type { Actor } from '../../domain/writes/audit.ts';
import type { Db, InLog } from '../../kit/db.ts';
import type { Callable, Listed, Method, PathParam } from '../../kit/endpoint.ts';
import type { Locale } from '../../kit/errors.ts';
import type { NewFile, UploadedFile } from '../../kit/file.ts';
import type { Currency } from '../../kit/money.ts';
import type { Paging } from '../../kit/page.ts';
import type { Params, ParamValues } from '../../kit/params.ts';
import type { PanelServices } from './services.ts';

export interface PanelPerson {
  readonly id: string;
  readonly email: string;
  readonly full_name: string;
  readonly locale: Locale;
  readonly is_admin: boolean;
}

/** The account that a person is working in. */
export interface PanelAccount {
  readonly id: string;
  readonly name: string;
  readonly timezone: string;
  readonly default_currency: Currency;
  readonly status: 'Aktif' | 'Askıda';
  readonly role: Role;
  /** Null for an administrator who views the account. */
  readonly member_id: string | null;
  /** The isolated sandbox in which the person works, if they do. `id` is then the world's, and the role that in its owner's account. */
  readonly world?: World;
}

export interface PanelSession {
  /** The id of the session's row, not the cookie's token, so it may be shown. */
  readonly id: string;
  readonly person: PanelPerson;
  readonly account: PanelAccount | null;
  /** An administrator views the account: every GET is allowed, nothing else. */
  readonly look: boolean;
  /** The password was given within ten minutes. */
  readonly recent: boolean;
  /** The live event in whose room the person has taken a seat. */
  readonly seat: string | null;
  readonly ip: string;
  readonly userAgent: string | null;
  readonly requestId: string;
}

/**
 * Roles in the current account; `member`, any of them; `person`, anyone signed in, with or without an account; `admin`, a
 * platform administrator.
 */
export type Who = readonly Role[] | 'member' | 'person' | 'admin';

/**
 * `tenant`: one dealer's rows, under row-level security. `platform`: data outside or across dealers. GETs only read.
 * `none`: the endpoint opens services.database itself, because it has slow work (a password) to do outside any transaction.
 */
export type DatabaseRole = 'tenant' | 'platform' | 'none';

type AccountOf<W extends Who> = W extends 'person' | 'admin' ? PanelAccount | null : PanelAccount;

export interface StreamContext<P extends string, Q extends Params, W extends Who> {
  readonly session: PanelSession;
  readonly account: AccountOf<W>;
  readonly params: Readonly<Record<PathParam<P>, string>>;
  readonly query: ParamValues<Q>;
  /** Business time, of dealers' data; real time, of sessions, keys and calls (kit/clock.ts). */
  readonly now: Date;
  readonly realNow: Date;
  readonly locale: Locale;
  readonly services: PanelServices;
}

export interface PanelContext<P extends string, Q extends Params, F extends Fields, W extends Who>
  extends StreamContext<P, Q, W> {
  readonly db: Db;
  readonly body: CreateBody<F>;
  /** What the endpoint's `upload` made of the file that came with the form. */
  readonly files: readonly NewFile[];
  /** For domain/writes/audit.ts: who acts, in which role, from where. */
  readonly actor: Actor;
  /** Aborted when the caller disconnects; for expensive work that only this caller needs. */
  readonly left: AbortSignal;
  /** The X-CSRF-Token of this session. */
  readonly csrf: string;
  /** Sets the session's new token; null ends the session and deletes the cookie. */
  giveToken(token: string | null): void;
}

/** An open text/event-stream. */
export interface PanelStream {
  /** The id of the last event that the browser received before it lost the connection. */
  readonly lastEventId: string | null;
  send(event: { readonly id?: string; readonly event?: string; readonly data: unknown }): void;
  /** Aborted when the browser leaves, the session ends or the service stops. */
  readonly closed: AbortSignal;
}

/** The body is a form with a file, and what is stored of it belongs to the current account. */
export interface PanelUpload {
  readonly maxBytes: number;
  /** Makes the files to store, before the transaction begins; they are deleted again where the endpoint does not succeed. */
  readonly stores: (file: UploadedFile) => Promise<readonly NewFile[]>;
}

interface Declared<P extends string, Q extends Params, F extends Fields, W extends Who, Out> {
  readonly who: W;
  readonly databaseRole: DatabaseRole;
  /** For a GET with the tenant role whose content the version of the dealer's data covers: it may be read on a standby. */
  readonly onStandby?: true;
  /**
   * The password must have been given within ten minutes. test/panel/password-again.test.ts decides it for every endpoint, with the
   * reason.
   */
  readonly recent?: true;
  /** The endpoint is about the dealership's own people, so viewers see its phones and e-mail addresses unmasked. */
  readonly ofColleagues?: true;
  /** About keys, requests or votes, which an account has once: a person in the sandbox sees those of the account. */
  readonly ofOwner?: boolean;
  readonly query?: Q;
  /** The JSON body; unknown, malformed and missing fields are refused with 422. */
  readonly bodySchema?: F;
  readonly upload?: PanelUpload;
  /** Of the body, where 512 kB are not enough. */
  readonly maxBytes?: number;
  /** The result becomes `data`; listed() adds list meta, a PanelFile is downloaded. The endpoint audits its own changes. */
  readonly run: (context: PanelContext<P, Q, F, W>) => Promise<Out | InLog<Out>>;
}

interface DeclaredStream<P extends string, Q extends Params, W extends Who> {
  readonly who: W;
  readonly ofOwner?: true;
  readonly query?: Q;
  /** Refuses before the stream is opened, by what it throws. */
  readonly admit?: (context: StreamContext<P, Q, W>) => Promise<void>;
  /** The room that the stream shows: the person's seat there is kept while the stream is open. */
  readonly seatsIn?: PathParam<P>;
  /** Runs until the stream is closed. */
  readonly stream: (context: StreamContext<P, Q, W>, stream: PanelStream) => Promise<void>;
}

export interface PanelEndpoint {
  readonly method: Method;
  /** The part after /panel/api/. */
  readonly path: string;
  /** `POST keys`: how it is named in the audit log. */
  readonly id: string;
  readonly who: Who;
  readonly databaseRole: DatabaseRole;
  readonly onStandby: boolean;
  readonly recent: boolean;
  readonly ofColleagues: boolean;
  /** Uses the account also if the person works in its sandbox. */
  readonly ofOwner: boolean;
  readonly query: Params;
  readonly bodySchema: Fields | null;
  readonly upload: PanelUpload | null;
  readonly maxBytes: number | null;
  readonly run: (context: PanelContext<string, Params, Fields, Who>) => Promise<unknown>;
  readonly seatsIn: string | null;
  readonly admit: ((context: StreamContext<string, Params, Who>) => Promise<void>) | null;
  readonly stream: ((context: StreamContext<string, Params, Who>, stream: PanelStream) => Promise<void>) | null;
}

type None = Record<never, never>;

/** The type of the reply: the items of a list; a file has none, because it is downloaded by its address. */
type ReturnedBy<Out> = Out extends PanelList<infer Item> ? Listed<Item> : Out extends PanelFile ? never : Out;

const define =
  <const M extends Method>(method: M) =>
  <const P extends string, const W extends Who, Out, const Q extends Params = None, const F extends Fields = None>(
    path: P,
    declared: Declared<P, Q, F, W, Out>,
  ): PanelEndpoint & Callable<`${M} ${P}`, Q, CreateBody<F>, ReturnedBy<Out>> => ({
    method,
    path,
    id: `${method} ${path}` as const,
    who: declared.who,
    databaseRole: declared.databaseRole,
    onStandby: declared.onStandby ?? false,
    recent: declared.recent ?? false,
    ofColleagues: declared.ofColleagues ?? false,
    ofOwner: declared.ofOwner ?? (declared.databaseRole === 'platform' || declared.who === 'person' || declared.who === 'admin'),
    query: declared.query ?? {},
    bodySchema: declared.bodySchema ?? null,
    upload: declared.upload ?? null,
    maxBytes: declared.maxBytes ?? null,
    run: declared.run as unknown as PanelEndpoint['run'],
    seatsIn: null,
    admit: null,
    stream: null,
  });

export const panelGet = define('GET');
export const panelPost = define('POST');
export const panelPatch = define('PATCH');
export const panelDelete = define('DELETE');

export function panelStream<const P extends string, const W extends Who, const Q extends Params = None>(
  path: P,
  { who, ofOwner, query, seatsIn, admit, stream }: DeclaredStream<P, Q, W>,
): PanelEndpoint & Callable<`GET ${P}`, Q, undefined, never> {
  const run = async (): Promise<never> => {
    throw new Error(`${path} is a stream and runs as one`);
  };
  return {
    method: 'GET',
    path,
    id: `GET ${path}` as const,
    who,
    databaseRole: 'platform',
    onStandby: false,
    recent: false,
    ofColleagues: false,
    ofOwner: ofOwner ?? who === 'admin',
    query: query ?? {},
    bodySchema: null,
    upload: null,
    maxBytes: null,
    run,
    seatsIn: seatsIn ?? null,
    admit: (admit as unknown as PanelEndpoint['admit']) ?? null,
    stream: stream as unknown as PanelEndpoint['stream'],
  };
}

/** A page of a list: `data` is the items, `meta` is limit, offset, count, has_more and, where it is known, total. */
export class PanelList<Item = unknown> {
  readonly items: readonly Item[];
  readonly page: Paging;
  readonly hasMore: boolean;
  readonly total: number | null;
  constructor(items: readonly Item[], page: Paging, hasMore: boolean, total: number | null) {
    this.items = items;
    this.page = page;
    this.hasMore = hasMore;
    this.total = total;
  }
}

/** `found` may have one item more than the page, which only shows that there is a next page. */
export const listed = <Item>(found: readonly Item[], page: Paging, total: number | null = null): PanelList<Item> =>
  new PanelList(found.slice(0, page.limit), page, found.length > page.limit, total);

/**
 * Sent as a download, or shown by the browser where it is a PDF. The pieces are generated at the browser's pace, after the endpoint's own
 * transaction has ended. Bytes cannot be masked, so people who see masked names do not get them.
 */
export class PanelFile {
  readonly name: string;
  readonly type: string;
  readonly pieces: AsyncIterable<string | Uint8Array>;
  /** The page on which anyone may check it. */
  readonly checkedAt: string | null;
  constructor(name: string, type: string, pieces: AsyncIterable<string | Uint8Array>, checkedAt: string | null = null) {
    this.name = name;
    this.type = type;
    this.pieces = pieces;
    this.checkedAt = checkedAt;
  }
}
