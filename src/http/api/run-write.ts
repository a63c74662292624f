// Runs an endpoint that writes, in four stages: receive reads the request, prepare makes everything ready for the database, attempt
// is the transaction, reply turns its outcome into the response.
import { deprecatedFieldsOf, sentFields } from '../../domain/catalog/deprecation.ts';
import { announceFiles, storeThen } from '../../domain/files/stored-files.ts';
import { emitIfLimitReached } from '../../domain/membership/limit-events.ts';
import { sealingKeys } from '../../domain/vault/vault.ts';
import { audit } from '../../domain/writes/audit.ts';
import { changesToAudit } from '../../domain/writes/audit-changes.ts';
import type { WriteCall } from '../../domain/writes/write.ts';
import { dayIn } from '../../kit/clock.ts';
import { type Db, keepsVersion, Rollback } from '../../kit/db.ts';
import type { BodyReader } from '../../kit/endpoint.ts';
import { Failure, fail } from '../../kit/errors.ts';
import type { NewFile, UploadedFile } from '../../kit/file.ts';
import { readQuery } from '../../kit/params.ts';
import { sql } from '../../kit/sql.ts';
import type { NewEvent, SealingKeys, Work } from '../../kit/work.ts';
import { IN_MEMORY_BYTES, mayBeLarge, withJson } from '../wire/receive.ts';
import { listBody, NO_STORE, objectBody, ok, type Reply, refused } from '../wire/reply.ts';
import { isForm, withForm } from '../wire/upload.ts';
import type { ApiEndpoint } from './api-endpoints.ts';
import { contextOf, type EndpointWrite, inWorld, type PathParams, requireIds, type WriteRunner } from './endpoint-call.ts';
import {
  claimKey,
  type FirstReply,
  fingerprintOf,
  type KeyedWrite,
  KeyTaken,
  keepRefusal,
  knownReply,
  readIdempotencyKey,
} from './idempotency.ts';
import { readersOf, recordHeaders, requireRecord } from './path-record.ts';
import { readBodyOf, withDuplicate } from './refusal-details.ts';
import { matchesEtag, weakEtag } from './response-cache.ts';

/** What every stage gets. */
interface WriteRequest {
  readonly runner: WriteRunner;
  readonly call: EndpointWrite;
  readonly endpoint: ApiEndpoint;
  readonly params: PathParams;
}

export function runWrite(runner: WriteRunner, call: EndpointWrite, endpoint: ApiEndpoint, params: PathParams): Promise<Reply> {
  const write = { runner, call, endpoint, params };
  return receive(write, (received) => {
    const { world } = call.caller;
    if (world === null) return runReceived(write, received);
    return runner.worlds!.write(world, (now) => runReceived({ ...write, call: inWorld(call, now) }, received));
  });
}

async function runReceived(write: WriteRequest, received: ReceivedWrite): Promise<Reply> {
  const prepared = await prepare(write, received);
  const outcome = prepared.kind === 'ready' ? await attempt(write, prepared) : prepared;
  const made = reply(write, outcome);
  const sent = sentFields(deprecatedFieldsOf(write.endpoint.body!).taken, received.fields);
  return sent.length === 0 ? made : { ...made, sent };
}

// Stage 1: receive

/** The body as JSON or as a form, before it is validated. */
interface ReceivedBody {
  readonly reader: BodyReader<unknown> | undefined;
  readonly fields: Record<string, unknown>;
  readonly file: UploadedFile | null;
}

interface ReceivedWrite extends ReceivedBody {
  readonly query: Record<string, unknown>;
  readonly idempotencyKey: string | null;
  readonly isDry: boolean;
  readonly precondition: Precondition | null;
}

/** Reads path, body, query and headers, in this order. The body's memory and its file are released when `use` ends. */
async function receive(write: WriteRequest, use: (received: ReceivedWrite) => Promise<Reply>): Promise<Reply> {
  const { runner, call, endpoint, params } = write;
  const { bodySchema, upload, maxBytes = IN_MEMORY_BYTES } = endpoint.body!;
  const { request } = call;
  const withBody = (body: ReceivedBody) => use({ ...body, ...readQueryAndHeaders(write) });
  requireIds(params);
  const receiver = { budgets: runner.budgets, owner: call.caller.ownerId, incoming: runner.files.incoming };
  if (upload !== undefined && (bodySchema === undefined || isForm(request))) {
    if (!isForm(request)) fail('unsupported_media_type', { words: { allowed: 'multipart/form-data' } });
    if (mayBeLarge(request, upload.maxBytes)) await requireRecord(runner, call, params);
    return withForm(request, upload, receiver, ({ fields, file }) => withBody({ reader: upload.bodySchema, fields, file }));
  }
  if (bodySchema === undefined) return withBody({ reader: undefined, fields: {}, file: null });
  const allowed = upload === undefined ? 'application/json' : 'application/json, multipart/form-data';
  if (mayBeLarge(request, maxBytes)) await requireRecord(runner, call, params);
  return withJson(request, { max: maxBytes, allowed }, receiver, (fields) =>
    withBody({ reader: bodySchema, fields, file: null }),
  );
}

function readQueryAndHeaders({ runner, call, endpoint }: WriteRequest): Omit<ReceivedWrite, keyof ReceivedBody> {
  const { headersDistinct } = call.request;
  return {
    query: readQuery(call.rawQuery, endpoint.params) as Record<string, unknown>,
    idempotencyKey: readIdempotencyKey(headersDistinct['idempotency-key'], endpoint.body!.idempotency === 'required'),
    isDry: readDryRun(headersDistinct['x-dry-run']),
    precondition: readPrecondition(runner, call),
  };
}

/** `X-Dry-Run: true` or `false`. Anything else is refused, because a misspelt dry run must not write. */
export function readDryRun(values: readonly string[] | undefined): boolean {
  if (values === undefined) return false;
  const [value] = values;
  if (values.length === 1 && (value === 'true' || value === 'false')) return value === 'true';
  return fail('invalid_parameter', { param: 'X-Dry-Run', words: { allowed: { en: 'true or false', tr: 'true ya da false' } } });
}

/** `If-Match`, and the endpoint that reads the record whose ETag it names. */
interface Precondition {
  readonly etags: string;
  readonly reader: ApiEndpoint;
}

/** Refuses `If-Match` for a record whose GET returns no ETag. */
function readPrecondition({ catalog }: WriteRunner, { request, path }: EndpointWrite): Precondition | null {
  const etags = request.headers['if-match'];
  if (etags === undefined) return null;
  const reader = readersOf(catalog, path).find(({ body }) => !body!.fresh);
  if (reader !== undefined) return { etags, reader };
  const allowed = { en: 'omitted: this record has no ETag', tr: 'ETag değeri olmayan bu kayıtta boş' };
  return fail('invalid_parameter', { param: 'If-Match', words: { allowed } });
}

// Stage 2: prepare

/** Everything that the transaction needs. */
interface WriteAttempt {
  readonly kind: 'ready';
  readonly query: Record<string, unknown>;
  /** The validated body. */
  readonly input: unknown;
  readonly file: UploadedFile | null;
  /** Made from the uploaded file, to be stored with the write. */
  readonly files: readonly NewFile[];
  readonly isDry: boolean;
  readonly precondition: Precondition | null;
  readonly keys: SealingKeys;
  /** Null without an Idempotency-Key, and for a dry run. */
  readonly keyed: KeyedWrite | null;
}

/** Validates the body, makes the files to be stored, and runs the timed transitions that are due. */
async function prepare(write: WriteRequest, received: ReceivedWrite): Promise<WriteAttempt | Replay> {
  const { runner, call, endpoint, params } = write;
  const { reader, fields, file, query, idempotencyKey, isDry, precondition } = received;
  const timeZone = call.caller.timezone;
  const input =
    reader === undefined
      ? undefined
      : readBodyOf(endpoint, () => reader.read(fields, { today: dayIn(call.now, timeZone), timeZone }));
  const content = file === null ? fields : { ...fields, file: file.sha256 };
  const isKeyed = idempotencyKey !== null && !isDry;
  const keyed = isKeyed
    ? { key: idempotencyKey, endpoint: endpoint.id, fingerprint: fingerprintOf(endpoint.id, params, content) }
    : null;
  const keys = sealingKeys(runner.secrets, call.caller.dataSetId);
  // Processing a file is expensive, so a key that was answered before is looked up first. Other writes find out by inserting the key.
  const first = keyed === null || file === null ? null : await findFirstReply(write, keys, keyed);
  if (first !== null) return { kind: 'replay', first };
  const files = file === null ? [] : ((await endpoint.body!.upload?.stores?.(file, call.caller.accountId)) ?? []);
  // Due timed transitions of this dealer come first, so that the write sees their outcome.
  await runner.catchUp.ensure(call.caller, call.now);
  return { kind: 'ready', query, input, file, files, isDry, precondition, keys, keyed };
}

const findFirstReply = ({ runner, call }: WriteRequest, keys: SealingKeys, keyed: KeyedWrite): Promise<FirstReply | null> =>
  runner.database.inTenant(call.caller.dataSetId, 'read', (db) => knownReply(db, keys, keyed));

// Stage 3: attempt

/** What the endpoint's body returned. */
interface BodyResult {
  readonly status: number;
  readonly body: Buffer;
  readonly data: unknown;
  readonly json: string;
  /** For the audit log: the record that the path names last, or else the one that was created. */
  readonly target: string | undefined;
}

interface Replay {
  readonly kind: 'replay';
  readonly first: FirstReply;
}

type Outcome =
  | { readonly kind: 'written'; readonly result: BodyResult; readonly headers: readonly string[] }
  | { readonly kind: 'dry_run'; readonly result: BodyResult }
  | { readonly kind: 'refused'; readonly refusal: Reply }
  | Replay;

/** Rolls back what a dry run wrote, and carries its result out of the transaction. */
class DryRunRollback extends Rollback {
  readonly result: BodyResult;
  constructor(result: BodyResult) {
    super('a dry run');
    this.result = result;
  }
}

/** Stores the files and runs the transaction; the files are deleted again unless it was committed. */
function attempt(write: WriteRequest, prepared: WriteAttempt): Promise<Outcome> {
  const { runner, call } = write;
  const target = { database: runner.database, store: runner.files.store, dataSet: call.caller.dataSetId, realNow: call.realNow };
  return storeThen(
    target,
    prepared.isDry ? [] : prepared.files,
    () => runner.catchUp.settled(() => transact(write, prepared), call.now, call.caller.world),
    ({ kind }) => kind === 'written',
  );
}

async function transact(write: WriteRequest, prepared: WriteAttempt): Promise<Outcome> {
  const { runner, call, endpoint, params } = write;
  const { keys, keyed, isDry, precondition, files } = prepared;
  const { dataSetId: dataSet, accountId, timezone, settings, world } = call.caller;
  const account = { id: accountId, timezone, settings };
  const serializedBy = endpoint.body?.serializedBy === undefined ? undefined : params[endpoint.body.serializedBy];
  const transaction: WriteCall = {
    dataSet,
    account,
    actor: call.actor,
    requestId: call.id,
    now: call.now,
    serializedBy,
    world: world ?? undefined,
  };
  try {
    return await runner.writer.write(transaction, async (work) => {
      const { db } = work;
      // Sent without waiting for it: if another request has the key, the transaction fails with KeyTaken.
      const keepReply = keyed === null ? null : claimKey(db, keys, keyed, call.realNow);
      if (precondition !== null) await requireUnchanged(write, work, precondition);
      // A dry run stores no files, but its records refer to them.
      if (isDry) await announceFiles(db, files, call.realNow);
      await watchRecord(write, work);
      const events: NewEvent[] = [];
      const result = await runBody(write, { ...prepared, work: recordingEvents(work, events) });
      call.watch?.seesResult(result.data, events, isDry);
      if (isDry) {
        // Waits for the statements that are still on their way: one of them may fail.
        await db.exec(sql`select`);
        throw new DryRunRollback(result);
      }
      const changes = changesToAudit(events, result.target, call.now);
      await audit(db, call.actor, endpoint.id, result.target ?? endpoint.path, { accountId, ...changes });
      keepReply?.({ status: result.status, body: result.body });
      return { kind: 'written', result, headers: recordHeaders(runner, call, endpoint, params, result) };
    });
  } catch (failure) {
    if (failure instanceof DryRunRollback) return { kind: 'dry_run', result: failure.result };
    const error = await withDuplicate(write, failure);
    if (!isDry) await emitIfLimitReached(runner.writer, transaction, error);
    if (keyed === null) throw error;
    return outcomeOfError(write, keys, keyed, error);
  }
}

/** The same work, with each event added to `events` too. */
const recordingEvents = (work: Work, events: NewEvent[]): Work => ({
  ...work,
  emit: (event) => {
    events.push(event);
    work.emit(event);
  },
});

/**
 * `If-Match`: refused unless the record's ETag is still the one that the caller read. The data set is locked first, so that no
 * other write can commit between this check and our commit.
 */
async function requireUnchanged(
  { runner, call, params }: WriteRequest,
  work: Work,
  { etags, reader }: Precondition,
): Promise<void> {
  work.holdDataSet();
  const data = await reader.body!.run(contextOf(runner, call, { db: work.db, params }));
  if (!matchesEtag(etags, weakEtag(JSON.stringify(data)))) fail('precondition_failed');
}

/** Shows the record in the path to the watch of the write; a record that does not exist is refused by the write itself. */
async function watchRecord({ runner, call, params }: WriteRequest, work: Work): Promise<void> {
  if (call.watch === undefined) return;
  const reader = readersOf(runner.catalog, call.path).find(({ body }) => !body!.fresh);
  if (reader === undefined) return call.watch.seesRecord(null);
  const data = await reader.body!.run(contextOf(runner, call, { db: work.db, params }));
  call.watch.seesRecord(weakEtag(JSON.stringify(data)));
}

/** What the endpoint's body runs with. */
interface BodyInput extends Pick<WriteAttempt, 'query' | 'input' | 'file' | 'files' | 'isDry'> {
  readonly work: Work;
}

async function runBody({ runner, call, endpoint, params }: WriteRequest, bodyInput: BodyInput): Promise<BodyResult> {
  const { work, query, input, file, files, isDry } = bodyInput;
  const context = { db: work.db, work, params, query, body: input, file, files, isDry, locale: call.locale };
  const data = await endpoint.body!.run(contextOf(runner, call, context));
  const json = JSON.stringify(data);
  const body = Array.isArray(data) ? listBody(json, data.length, 0, data.length) : objectBody(json, call);
  const id = data !== null && typeof data === 'object' && 'id' in data ? String(data.id) : undefined;
  return { status: endpoint.body!.successStatus ?? 200, body, data, json, target: Object.values(params).at(-1) ?? id };
}

/** The transaction was rolled back: the outcome for its Idempotency-Key is the first request's reply, or the refusal. */
async function outcomeOfError(write: WriteRequest, keys: SealingKeys, keyed: KeyedWrite, error: unknown): Promise<Outcome> {
  const { runner, call } = write;
  if (!isKeptForKey(error)) {
    if (!(error instanceof KeyTaken || error instanceof Failure)) throw error;
    // If the key was answered before, that reply counts, not this refusal.
    const first = await findFirstReply(write, keys, keyed);
    if (first !== null) return { kind: 'replay', first };
    if (error instanceof Failure) throw error;
    return fail('idempotency_in_progress', { headers: { 'Retry-After': '1' } });
  }
  const refusal = refused(error.code, error.facts, call, call.locale);
  const ours = { status: refusal.status, body: refusal.body! };
  const keep = (db: Db) => keepRefusal(db, keys, keyed, call.realNow, ours);
  const first = await runner.database.inTenant(call.caller.dataSetId, 'write', keep, keepsVersion);
  return first === ours ? { kind: 'refused', refusal } : { kind: 'replay', first };
}

/** A refusal that depends on the stored state is kept for its key. One of the request's form is not, and neither is a failure. */
const isKeptForKey = (error: unknown): error is Failure =>
  error instanceof Failure && [402, 403, 409, 422].includes(error.status) && !UNDECIDED.includes(error.code);
const UNDECIDED: readonly string[] = ['validation_failed', 'idempotency_in_progress'];

// Stage 4: reply

function reply(write: WriteRequest, outcome: Outcome): Reply {
  switch (outcome.kind) {
    case 'written':
      return replyWith(outcome.result, outcome.headers);
    case 'dry_run':
      return replyWith(outcome.result, ['Dry-Run', 'true']);
    case 'refused':
      return outcome.refusal;
    case 'replay':
      return replyWith(outcome.first, ['Idempotent-Replayed', 'true', ...replayedHeaders(write, outcome.first)]);
  }
}

function replyWith({ status, body }: FirstReply, headers: readonly string[]): Reply {
  const made = ok(body, NO_STORE);
  made.headers.push(...headers);
  return { ...made, status };
}

/** The headers of the first reply, from its own body: the record may have changed since. */
function replayedHeaders({ runner, call, endpoint, params }: WriteRequest, { status, body }: FirstReply): string[] {
  if (status >= 300) return [];
  const { data } = JSON.parse(body.toString('utf8'));
  return recordHeaders(runner, call, endpoint, params, { data, json: JSON.stringify(data) });
}
