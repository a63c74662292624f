// What running an endpoint takes, for reads and for writes: the parts of the process, the call, and the context of the endpoint's body.
import type { IncomingMessage } from 'node:http';
import type { Catalog } from '../../domain/catalog/catalog.ts';
import { signLink } from '../../domain/files/file-links.ts';
import type { Files } from '../../domain/files/file-store.ts';
import type { Secrets } from '../../domain/vault/secrets.ts';
import type { OpenWorld } from '../../domain/worlds/open-world.ts';
import type { Actor } from '../../domain/writes/audit.ts';
import type { Writer } from '../../domain/writes/write.ts';
import { type Moment, startOf } from '../../kit/clock.ts';
import type { Database, Db } from '../../kit/db.ts';
import type { CallingKey, Context, FileLink } from '../../kit/endpoint.ts';
import { fail, type Locale } from '../../kit/errors.ts';
import type { NewFile, UploadedFile } from '../../kit/file.ts';
import { isUuid } from '../../kit/ids.ts';
import type { Sort, Walk } from '../../kit/page.ts';
import type { AccountSettings, Work } from '../../kit/work.ts';
import type { Copies } from '../../postgres/standbys.ts';
import type { Budgets } from '../wire/budgets.ts';
import type { Meta } from '../wire/reply.ts';
import type { ApiEndpoint } from './api-endpoints.ts';
import type { WriteWatch } from './call.ts';
import type { CatchUp } from './catch-up.ts';
import type { ResponseCache } from './response-cache.ts';
import type { Worlds } from './worlds.ts';

export interface EndpointRunner {
  readonly database: Database;
  /** Reads on standbys. */
  readonly copies: Copies;
  readonly cache: ResponseCache;
  readonly catchUp: CatchUp;
  readonly publicUrl: () => string;
  /** SMTP_URL is set. */
  readonly canMail: boolean;
  readonly secrets: Secrets;
  readonly writer: Writer;
  readonly files: Files;
  /** Null unless SANDBOX=isolated. */
  readonly worlds: Worlds | null;
}

export interface WriteRunner extends EndpointRunner {
  readonly catalog: Catalog<ApiEndpoint>;
  readonly budgets: Budgets;
}

/** For whom an endpoint runs: a key through the API, or a person through the panel. */
export interface Caller {
  readonly dataSetId: string;
  readonly accountId: string;
  readonly timezone: string;
  readonly settings: AccountSettings | null;
  /** What a body may know of the key. A function, because cached replies do not need it. */
  readonly key: () => CallingKey;
  /** Requests in the trailing minute, this one included. */
  readonly used: number;
  readonly masked: boolean;
  /** The account on whose budgets the call counts: in a world, its owner. */
  readonly ownerId: string;
  /** The isolated sandbox that the call uses; null in production. */
  readonly world: OpenWorld | null;
  readonly role: string | null;
  /** Fails if the caller may not use the endpoint with this id. */
  readonly requires: (endpointId: string) => void;
}

/** A request that may run its endpoint. */
export interface EndpointCall extends Meta {
  readonly realNow: Date;
  readonly method: string;
  /** The path prefix for links: `/api/v1/`. */
  readonly prefix: string;
  /** The part after the prefix, without the query. */
  readonly path: string;
  readonly rawQuery: string;
  readonly headers: { readonly ifNoneMatch: string | undefined; readonly cacheControl: string | undefined };
  readonly caller: Caller;
}

/** A request that may run an endpoint which writes. */
export interface EndpointWrite extends EndpointCall {
  readonly actor: Actor;
  readonly locale: Locale;
  readonly request: IncomingMessage;
  readonly watch?: WriteWatch | undefined;
}

/** The data set and the account of a call, from its key or session, or from the world. */
type CallerData = Pick<Caller, 'dataSetId' | 'accountId' | 'timezone' | 'settings' | 'world'>;

export const dataOfWorld = (world: OpenWorld): CallerData => {
  const { id, timezone, settings } = world.account;
  return { dataSetId: id, accountId: id, timezone, settings, world };
};

/** The same call at the time that the world has now. */
export const inWorld = <C extends EndpointCall>(call: C, world: OpenWorld): C => ({
  ...call,
  now: world.now,
  caller: { ...call.caller, ...dataOfWorld(world) },
});

/** The values of the names in an endpoint's path. */
export type PathParams = Readonly<Record<string, string>>;

/** A malformed id is not_found. */
export function requireIds(params: PathParams): void {
  for (const name in params) if (name.endsWith('_id') && !isUuid(params[name]!)) fail('not_found');
}

/** The part of a context that differs between requests; a write sets more of it than a read. */
interface BodyContext {
  readonly db: Db;
  readonly params: PathParams;
  readonly query?: Record<string, unknown>;
  readonly walk?: Walk | undefined;
  readonly work?: Work;
  readonly body?: unknown;
  readonly file?: UploadedFile | null;
  readonly files?: readonly NewFile[];
  readonly locale?: Locale;
  readonly isDry?: boolean;
}

/** Builds the context that every endpoint body gets. */
export function contextOf(runner: EndpointRunner, call: EndpointCall, body: BodyContext): Context {
  const { dataSetId, accountId, timezone, key, used, masked, role } = call.caller;
  const { query = {}, work = NO_WORK } = body;
  const context = {
    body: undefined,
    file: null,
    files: [],
    isDry: false,
    ...body,
    query,
    work,
    account: { id: accountId, timezone },
    key: key(),
    linkTo: linksOf(runner, dataSetId, call.realNow),
    canMail: runner.canMail,
    page: {
      limit: (query.limit ?? 0) as number,
      offset: (query.offset ?? 0) as number,
      walk: body.walk,
      sortedBy: query.sort as Sort | undefined,
      since: query.updated_since === undefined ? undefined : startOf(query.updated_since as Moment, timezone),
    },
    now: call.now,
    realNow: call.realNow,
    used,
    masked,
    role,
  };
  return context as unknown as Context;
}

/** Links to files of this data set, or of another whose picture the caller may see. */
const linksOf =
  ({ secrets, publicUrl }: EndpointRunner, dataSet: string, now: Date) =>
  (fileId: string, owner = dataSet): FileLink =>
    signLink(secrets.files, publicUrl(), owner, fileId, now);

/** Makes a read fail if its body uses `work`. */
const NO_WORK = new Proxy({} as Work, {
  get: (_, name) => {
    throw new Error(`a read reached for work.${String(name)}`);
  },
});
