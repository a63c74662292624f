// From an admitted write to its reply: body, parameters, idempotency, the row's own work, the envelope.
import type { IncomingMessage } from 'node:http';
import type { Catalog } from '../../domain/catalog/catalog.ts';
import { announceFiles, storeThen } from '../../domain/files/stored-files.ts';
import { emitIfLimitReached } from '../../domain/membership/limit-events.ts';
import { sealingKeys } from '../../domain/vault/vault.ts';
import { type Actor, audit } from '../../domain/writes/audit.ts';
import { changesToAudit } from '../../domain/writes/audit-changes.ts';
import { dayIn } from '../../kit/clock.ts';
import { type Db, keepsVersion, Rollback } from '../../kit/db.ts';
import type { BodyReader } from '../../kit/endpoint.ts';
import { Failure, fail, type Locale } from '../../kit/errors.ts';
import type { NewFile, UploadedFile } from '../../kit/file.ts';
import { readQuery } from '../../kit/params.ts';
import { sql } from '../../kit/sql.ts';
import type { NewEvent, SealingKeys, Work } from '../../kit/work.ts';
import type { Budgets } from '../wire/budgets.ts';
import { IN_MEMORY_BYTES, mayBeLarge, withJson } from '../wire/receive.ts';
import { listBody, NO_STORE, objectBody, ok, type Reply, refused } from '../wire/reply.ts';
import { isForm, withForm } from '../wire/upload.ts';
import type { ApiRow } from './api-rows.ts';
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
import { matchesEtag, weakEtag } from './response-cache.ts';
import { contextOf, type RowCall, type RowRunner, requireIds } from './run-row.ts';

export interface WriteRunner extends RowRunner {
  readonly catalog: Catalog<ApiRow>;
  readonly budgets: Budgets;
}

/** A request that may run a row which writes. */
export interface RowWrite extends RowCall {
  readonly actor: Actor;
  readonly locale: Locale;
  readonly request: IncomingMessage;
}

type PathParams = Readonly<Record<string, string>>;

export async function runWrite(runner: WriteRunner, call: RowWrite, row: ApiRow, params: PathParams): Promise<Reply> {
  const { takes, upload, maxBytes = IN_MEMORY_BYTES } = row.body!;
  const { request } = call;
  requireIds(params);
  const receiver = { budgets: runner.budgets, owner: call.caller.accountId, incoming: runner.files.incoming };
  if (upload !== undefined && (takes === undefined || isForm(request))) {
    if (!isForm(request)) fail('unsupported_media_type', { words: { allowed: 'multipart/form-data' } });
    if (mayBeLarge(request, upload.maxBytes)) await requireRecord(runner, call, params);
    return withForm(request, upload, receiver, ({ given, file }) =>
      runGiven(runner, call, row, params, { takes: upload.takes, given, file }),
    );
  }
  if (takes === undefined) return runGiven(runner, call, row, params, { takes, given: {}, file: null });
  const allowed = upload === undefined ? 'application/json' : 'application/json, multipart/form-data';
  if (mayBeLarge(request, maxBytes)) await requireRecord(runner, call, params);
  return withJson(request, { max: maxBytes, allowed }, receiver, (given) =>
    runGiven(runner, call, row, params, { takes, given, file: null }),
  );
}

/** What came in, as JSON or as a form. */
interface Given {
  readonly takes: BodyReader<unknown> | undefined;
  readonly given: Record<string, unknown>;
  readonly file: UploadedFile | null;
}

async function runGiven(
  runner: WriteRunner,
  call: RowWrite,
  row: ApiRow,
  params: PathParams,
  { takes, given, file }: Given,
): Promise<Reply> {
  const body = row.body!;
  const query = readQuery(call.rawQuery, row.params) as Record<string, unknown>;
  const key = readIdempotencyKey(call.request.headersDistinct['idempotency-key'], body.idempotency === 'required');
  const isDry = readDryRun(call.request.headersDistinct['x-dry-run']);
  const condition = conditionOf(runner, call);
  const timeZone = call.caller.timezone;
  const input = takes?.read(given, { today: dayIn(call.now, timeZone), timeZone });
  const asked = file === null ? given : { ...given, file: file.sha256 };
  const keyed = key === null || isDry ? null : { key, endpoint: row.id, fingerprint: fingerprintOf(row.id, params, asked) };
  const keys = sealingKeys(runner.secrets, call.caller.dataSetId);
  const known = keyed === null || file === null ? null : await lookUp(runner, call, keys, keyed);
  if (known !== null) return replayed(runner, call, row, params, known);
  const files = file === null ? [] : ((await body.upload?.stores?.(file, call.caller.accountId)) ?? []);
  await runner.catchUp.ensure(call.caller, call.now);
  const run = async (work: Work): Promise<Outcome> => {
    if (condition !== null) await requireUnchanged(runner, call, work, params, condition);
    // Nothing of a dry run is stored, but its records are to find their files.
    if (isDry) await announceFiles(work.db, files, call.realNow);
    return runBody(runner, call, row, { work, params, query, input, file, files, isDry });
  };
  const target = { database: runner.database, store: runner.files.store, dataSet: call.caller.dataSetId, realNow: call.realNow };
  const { reply } = await storeThen(
    target,
    isDry ? [] : files,
    () => runner.catchUp.settled(() => writeOnce(runner, call, { row, params, keys, keyed, isDry }, run), call.now),
    ({ isWritten }) => isWritten,
  );
  return reply;
}

/** Before anything is made of a file: what was answered once is not drawn again. */
const lookUp = (
  { database }: WriteRunner,
  { caller }: RowWrite,
  keys: SealingKeys,
  keyed: KeyedWrite,
): Promise<FirstReply | null> => database.inTenant(caller.dataSetId, 'read', (db) => knownReply(db, keys, keyed));

interface Once {
  readonly row: ApiRow;
  readonly params: PathParams;
  readonly keys: SealingKeys;
  readonly keyed: KeyedWrite | null;
  readonly isDry: boolean;
}

/** A reply for which nothing of the write is to be committed: a refusal, or the outcome of a dry run. */
class WithoutTrace extends Rollback {
  readonly reply: Reply;
  constructor(reply: Reply) {
    super('nothing is written');
    this.reply = reply;
  }
}

/** `isWritten`: what the row did is committed. */
interface Written {
  readonly reply: Reply;
  readonly isWritten: boolean;
}

async function writeOnce(
  runner: WriteRunner,
  call: RowWrite,
  once: Once,
  run: (work: Work) => Promise<Outcome>,
): Promise<Written> {
  const { row, params, keys, keyed, isDry } = once;
  const { dataSetId: dataSet, accountId, timezone, settings } = call.caller;
  const account = { id: accountId, timezone, settings };
  const line = row.body?.serializedBy === undefined ? undefined : params[row.body.serializedBy];
  const written = { dataSet, account, actor: call.actor, requestId: call.id, now: call.now, line };
  try {
    return await runner.writer.write(written, async (work) => {
      const { db } = work;
      const keepReply = keyed === null ? null : claimKey(db, keys, keyed, call.realNow);
      const events: NewEvent[] = [];
      const reply = await run(heard(work, events));
      if (isDry) {
        // What has not left yet may still be refused.
        await db.exec(sql`select`);
        throw new WithoutTrace(withHeader(reply, 'Dry-Run', 'true'));
      }
      const changes = changesToAudit(events, reply.target, call.now);
      await audit(db, call.actor, row.id, reply.target ?? row.path, { accountId, ...changes });
      keepReply?.({ status: reply.status, body: reply.body! });
      reply.headers.push(...recordHeaders(runner, call, row, params, reply));
      return { reply, isWritten: true };
    });
  } catch (error) {
    if (error instanceof WithoutTrace) return { reply: error.reply, isWritten: false };
    if (!isDry) await emitIfLimitReached(runner.writer, written, error);
    if (keyed === null) throw error;
    return { reply: await replyWithoutEffect(runner, call, { ...once, keyed }, error), isWritten: false };
  }
}

/** The same work, whose events are listed besides. */
const heard = (work: Work, events: NewEvent[]): Work => ({
  ...work,
  emit: (event) => {
    events.push(event);
    work.emit(event);
  },
});

/** The write is undone whole: what its key is answered is the first request's reply, or the refusal. */
async function replyWithoutEffect(
  runner: WriteRunner,
  call: RowWrite,
  { row, params, keys, keyed }: Once & { readonly keyed: KeyedWrite },
  error: unknown,
): Promise<Reply> {
  if (!isDecided(error)) {
    if (!(error instanceof KeyTaken || error instanceof Failure)) throw error;
    // What a refused request would do now does not matter where its key was answered before.
    const first = await lookUp(runner, call, keys, keyed);
    if (first !== null) return replayed(runner, call, row, params, first);
    if (error instanceof Failure) throw error;
    return fail('idempotency_in_progress', { headers: { 'Retry-After': '1' } });
  }
  const refusal = refused(error.code, error.facts, call, call.locale);
  const given = { status: refusal.status, body: refusal.body! };
  const keep = (db: Db) => keepRefusal(db, keys, keyed, call.realNow, given);
  const kept = await runner.database.inTenant(call.caller.dataSetId, 'write', keep, keepsVersion);
  return kept === given ? refusal : replayed(runner, call, row, params, kept);
}

/** A refusal that the present state decided is the reply to its key for good; one of form is not, nor is anything that failed. */
const isDecided = (error: unknown): error is Failure =>
  error instanceof Failure && [402, 403, 409, 422].includes(error.status) && !UNDECIDED.includes(error.code);
const UNDECIDED: readonly string[] = ['validation_failed', 'idempotency_in_progress'];

function replayed(runner: WriteRunner, call: RowWrite, row: ApiRow, params: PathParams, { status, body }: FirstReply): Reply {
  const reply = withHeader(ok(body, NO_STORE), 'Idempotent-Replayed', 'true');
  // As the first reply had them: by its own words, whatever the record has become since.
  if (status < 300) {
    const { data } = JSON.parse(body.toString('utf8'));
    reply.headers.push(...recordHeaders(runner, call, row, params, { data, json: JSON.stringify(data) }));
  }
  return { ...reply, status };
}

function withHeader(reply: Reply, name: string, value: string): Reply {
  reply.headers.push(name, value);
  return reply;
}

/** A reply, what it says and, for the audit log, the record that was written. */
interface Outcome extends Reply {
  readonly data: unknown;
  readonly json: string;
  readonly target?: string | undefined;
}

interface Ready {
  readonly work: Work;
  readonly params: PathParams;
  readonly query: Record<string, unknown>;
  readonly input: unknown;
  readonly file: UploadedFile | null;
  readonly files: readonly NewFile[];
  readonly isDry: boolean;
}

async function runBody(runner: WriteRunner, call: RowWrite, row: ApiRow, ready: Ready): Promise<Outcome> {
  const { input: body, ...came } = ready;
  const { params } = ready;
  const data = await row.body!.run(contextOf(runner, call, { ...came, db: ready.work.db, body, locale: call.locale }));
  const json = JSON.stringify(data);
  const reply = Array.isArray(data) ? listBody(json, data.length, 0, data.length) : objectBody(json, call);
  const made = data !== null && typeof data === 'object' && 'id' in data ? String(data.id) : undefined;
  return { ...ok(reply, NO_STORE), status: row.body!.answers ?? 200, data, json, target: Object.values(params).at(-1) ?? made };
}

/**
 * `If-Match`: only if the record is still as the caller read it, by the ETag of its GET. The data set is held meanwhile, so that no
 * write that ends in between goes unseen.
 */
async function requireUnchanged(
  runner: WriteRunner,
  call: RowWrite,
  work: Work,
  params: PathParams,
  { wanted, reader }: Condition,
): Promise<void> {
  work.holdDataSet();
  const data = await reader.body!.run(contextOf(runner, call, { db: work.db, params }));
  if (!matchesEtag(wanted, weakEtag(JSON.stringify(data)))) fail('precondition_failed');
}

interface Condition {
  readonly wanted: string;
  readonly reader: ApiRow;
}

/** What has no ETag to compare with cannot be promised to be unchanged. */
function conditionOf({ catalog }: WriteRunner, { request, path }: RowWrite): Condition | null {
  const wanted = request.headers['if-match'];
  if (wanted === undefined) return null;
  const reader = readersOf(catalog, path).find(({ body }) => !body!.fresh);
  if (reader !== undefined) return { wanted, reader };
  const allowed = { en: 'left out: this record has no ETag', tr: 'ETag değeri olmayan bu kayıtta verilmemiş' };
  return fail('invalid_parameter', { param: 'If-Match', words: { allowed } });
}

/** `X-Dry-Run: true`, `false` or nothing: a misspelt wish to change nothing must not change anything. */
function readDryRun(given: readonly string[] | undefined): boolean {
  if (given === undefined) return false;
  const [value] = given;
  if (given.length === 1 && (value === 'true' || value === 'false')) return value === 'true';
  return fail('invalid_parameter', { param: 'X-Dry-Run', words: { allowed: 'true, false' } });
}
