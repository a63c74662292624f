// /sandbox/v1: a sandbox key reads, resets and moves its own world. The same key checks, limit, envelope, log and idempotency as the API.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LiveKey } from '../../domain/keys/keys.ts';
import { createBody } from '../../domain/records/body.ts';
import { type Fields, fieldContext, flagField, oneOfField, textField, withDefault } from '../../domain/records/fields.ts';
import { sealingKeys } from '../../domain/vault/vault.ts';
import type { OpenWorld } from '../../domain/worlds/open-world.ts';
import { WORLD_DATA } from '../../domain/worlds/world-states.ts';
import { fail } from '../../kit/errors.ts';
import { oneOfParam, type Params, paging, readQuery, textParam } from '../../kit/params.ts';
import { readClockTarget } from '../../sandbox/clock-target.ts';
import type { MessageFilter, SandboxActions } from '../../sandbox/sandbox-actions.ts';
import { clockView, worldView } from '../../sandbox/world-view.ts';
import { beginCall, type Call } from '../api/call.ts';
import { type FirstReply, fingerprintOf, readIdempotencyKey } from '../api/idempotency.ts';
import { type ApiParts, countCall, finishCall, identifyCaller, replyToError } from '../api/pipeline.ts';
import { readDryRun } from '../api/run-write.ts';
import type { Worlds } from '../api/worlds.ts';
import { IN_MEMORY_BYTES, withJson } from '../wire/receive.ts';
import { listBody, NO_STORE, objectBody, ok, type Reply } from '../wire/reply.ts';
import { once } from './sandbox-keys.ts';

export interface SandboxEntryParts extends ApiParts {
  /** Null unless SANDBOX=isolated. */
  readonly sandbox: SandboxActions | null;
}

export const SANDBOX_PREFIX = '/sandbox/v1';

export function createSandboxEntry(
  parts: SandboxEntryParts,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const call = beginCall(request, parts, SANDBOX_PREFIX);
    const reply = await answer(parts, call, request).catch((error) => replyToError(parts, call, error));
    finishCall(parts, call, response, reply);
  };
}

async function answer(parts: SandboxEntryParts, call: Call, request: IncomingMessage): Promise<Reply> {
  const refusal = (await identifyCaller(parts, call)) ?? (await countCall(parts, call, call.key!));
  if (refusal !== null) return refusal;
  const { sandbox, worlds } = parts;
  if (sandbox === null || worlds === null) fail('sandbox_not_enabled');
  const key = call.key!;
  if (!mayControl(key)) fail('sandbox_control_not_allowed');
  const methods = ENDPOINTS[call.path.replace(/\/$/, '')] ?? fail('not_found');
  const run = methods[call.method];
  if (run === undefined) {
    const allowed = Object.keys(methods).join(', ');
    fail('method_not_allowed', { headers: { Allow: allowed }, words: { method: call.method, allowed } });
  }
  if (call.method !== 'GET' && key.accountSuspended) fail('account_suspended');
  return parts.budgets.requests.during(key.accountId, () => run({ parts, sandbox, worlds, call, key, request }));
}

/** Only keys of integrations that may write in the sandbox. */
const mayControl = ({ environment, endpoints }: LiveKey): boolean =>
  environment === 'sandbox' && [...endpoints].some((id) => !id.startsWith('GET '));

interface SandboxCall {
  readonly parts: SandboxEntryParts;
  readonly sandbox: SandboxActions;
  readonly worlds: Worlds;
  readonly call: Call;
  readonly key: LiveKey;
  readonly request: IncomingMessage;
}

type Run = (call: SandboxCall) => Promise<Reply>;

const MESSAGE_FILTERS = { ...paging, channel: oneOfParam(['E-posta', 'WhatsApp', 'SMS'] as const), to: textParam(300) };
const RESET_FIELDS = {
  data: withDefault(oneOfField(WORLD_DATA), 'sample'),
  keep_webhooks: withDefault(flagField, 'true'),
};
const CLOCK_FIELDS = { advance: textField(20), to: textField(40) };

const ENDPOINTS: Readonly<Record<string, Readonly<Record<string, Run>>>> = {
  '': {
    GET: (call) => readWorld(call, {}, (world) => worldView(call.parts.database, world)),
  },
  '/reset': {
    POST: (call) =>
      act(call, RESET_FIELDS, async ({ data = 'sample', keep_webhooks: keepWebhooks = true }) => {
        const { sandbox, worlds, key, parts } = call;
        await sandbox.reset(key.accountId, { data, keepWebhooks }, parts.clock.times());
        return worldView(parts.database, await worlds.of(key.accountId));
      }),
  },
  '/clock': {
    GET: (call) => readWorld(call, {}, (world) => clockView(call.parts.database, world)),
    POST: (call) =>
      act(call, CLOCK_FIELDS, async (body) => {
        const world = await call.worlds.of(call.key.accountId);
        const { from, to, transitions, events } = await call.sandbox.advance(
          world,
          readClockTarget(body, world.account.timezone),
        );
        return { from: from.toISOString(), to: to.toISOString(), transitions, events };
      }),
  },
  '/rules': {
    GET: async ({ sandbox, call }) => {
      readQuery(call.rawQuery, {});
      const { length } = sandbox.rules;
      return ok(listBody(JSON.stringify(sandbox.rules), length, 0, length), NO_STORE);
    },
  },
  '/messages': { GET: listMessages },
};

/** A GET of the world: query parameters first, as for every endpoint. */
async function readWorld(
  { worlds, key, call }: SandboxCall,
  params: Params,
  view: (world: OpenWorld) => Promise<unknown>,
): Promise<Reply> {
  readQuery(call.rawQuery, params);
  const world = await worlds.of(key.accountId);
  return ok(objectBody(JSON.stringify(await view(world)), { id: call.id, now: world.now }), NO_STORE);
}

async function listMessages({ parts, sandbox, worlds, key, call }: SandboxCall): Promise<Reply> {
  const filter: MessageFilter = readQuery(call.rawQuery, MESSAGE_FILTERS);
  const { id } = await worlds.of(key.accountId);
  const keys = sealingKeys(parts.secrets, id);
  const found = await parts.database.inTenant(id, 'read', (db) => sandbox.messages(db, keys, filter));
  const { limit, offset } = filter;
  const page = found.slice(0, limit);
  const reply = ok(listBody(JSON.stringify(page), limit, offset, page.length), NO_STORE);
  if (found.length > limit) {
    const query = new URLSearchParams(call.rawQuery);
    query.set('limit', String(limit));
    query.set('offset', String(offset + limit));
    reply.headers.push('Link', `<${parts.publicUrl()}${SANDBOX_PREFIX}/messages?${query}>; rel="next"`);
  }
  return reply;
}

const NO_DRY_RUN = {
  param: 'X-Dry-Run',
  words: {
    allowed: {
      en: 'false or absent: reset and clock do not support dry runs',
      tr: 'false: sıfırlama ve saati ilerletme denenemez',
    },
  },
};

/** A POST: body, query parameters, idempotency, then the action. */
function act<F extends Fields>(
  { parts, worlds, call, key, request }: SandboxCall,
  fields: F,
  run: (body: ReturnType<ReturnType<typeof createBody<F>>['read']>) => Promise<unknown>,
): Promise<Reply> {
  const receiver = { budgets: parts.budgets, owner: key.accountId, incoming: parts.files.incoming };
  return withJson(request, { max: IN_MEMORY_BYTES }, receiver, async (input) => {
    readQuery(call.rawQuery, {});
    // Otherwise a request that was to change nothing would reset the sandbox.
    if (readDryRun(request.headersDistinct['x-dry-run'])) fail('invalid_parameter', NO_DRY_RUN);
    const idempotencyKey = readIdempotencyKey(request.headersDistinct['idempotency-key'], false);
    const body = createBody(fields).read(input, fieldContext(call.now, key.timezone));
    const reply = async (): Promise<FirstReply> => {
      const data = JSON.stringify(await run(body));
      const { now } = await worlds.of(key.accountId);
      return { status: 200, body: objectBody(data, { id: call.id, now }) };
    };
    if (idempotencyKey === null) return ok((await reply()).body, NO_STORE);
    const endpoint = `${call.method} ${SANDBOX_PREFIX}${call.path}`;
    const write = { key: idempotencyKey, endpoint, fingerprint: fingerprintOf(endpoint, {}, input) };
    const { reply: first, isReplay } = await once(parts, key.accountId, write, reply);
    const made = ok(first.body, NO_STORE);
    if (isReplay) made.headers.push('Idempotent-Replayed', 'true');
    return made;
  });
}
