// The tool `write`: a preview first, then the act, and a person where the rules ask for one. Nothing but a row of agent_writes permits an act.

import { notifyApprovers } from '../../domain/agents/agent-mail.ts';
import type { Amount } from '../../domain/agents/agent-money.ts';
import { moneyOf } from '../../domain/agents/agent-money.ts';
import { type PersonReason, personReason } from '../../domain/agents/agent-rules.ts';
import {
  type AgentWrite,
  type AgentWriteRow,
  approveByToken,
  askPeople,
  BeyondDay,
  decideByClient,
  findAgentWrite,
  finishAgentWrite,
} from '../../domain/agents/agent-writes.ts';
import { type AgentVia, APPROVAL_MINUTES, PREVIEW_MINUTES } from '../../domain/keys/agent-states.ts';
import { sealingKeys, vaultKeys } from '../../domain/vault/vault.ts';
import { dayIn } from '../../kit/clock.ts';
import { type Db, keepsVersion } from '../../kit/db.ts';
import { fail, type Locale } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { NewEvent } from '../../kit/work.ts';
import type { ApiEndpoint } from '../api/api-endpoints.ts';
import type { WriteWatch } from '../api/call.ts';
import { askWindow, fitsWindow, readWindow } from './elicit.ts';
import { type AgentRequest, callApi, type OwnReply } from './own-call.ts';
import {
  isStateOf,
  makeState,
  makeToken,
  moneyText,
  readToken,
  type TokenFacts,
  type TokenOwner,
  type WriteRequest,
} from './preview-token.ts';
import type { Json, McpRequest } from './protocol.ts';
import { cutValue } from './read.ts';
import { answered, contentOf, dataFrom, failedWith, refusalOf, type ToolResult } from './tool-result.ts';

export interface WriteCall {
  readonly agent: AgentRequest;
  readonly request: WriteRequest;
  /** What the client sent beside the arguments. */
  readonly mcp: McpRequest;
  readonly locale: Locale;
}

/** A repeated call finds the first reply for this long. */
const REPLAYED_MS = 24 * 3_600_000;

export async function write(call: WriteCall, confirm: string | null): Promise<ToolResult> {
  if (confirm === null) return preview(call);
  const facts = readToken(ownerOf(call), call.request, confirm);
  if (facts === null) return preview(call, 'The token is not valid for this key and these arguments; nothing was changed.');
  const row = await inAccount(call, 'read', (db) => findAgentWrite(db, facts.id, call.agent.key.id));
  if (row !== null) return continueWith(call, confirm, facts, row);
  if (facts.expiresAt <= realNow(call).getTime()) return preview(call, 'The preview has expired; nothing was changed.');
  return confirmFirst(call, confirm, facts);
}

/** The row of the endpoint; the pipeline refuses what is not in the catalog before this is read. */
function endpointOf({ agent, request }: WriteCall): ApiEndpoint | null {
  return agent.parts.catalog.match(request.path)?.methods.get(request.method) ?? null;
}

// The preview

interface Preview {
  readonly endpoint: ApiEndpoint;
  readonly etag: string | null;
  readonly money: Amount[] | null;
  readonly events: readonly string[];
  readonly reply: OwnReply;
}

/** The write as a dry run, seen from inside its transaction. Null, and the refusal, if the API refuses it. */
async function dryRun(call: WriteCall): Promise<Preview | OwnReply> {
  let seen: Pick<Preview, 'etag' | 'money' | 'events'> = { etag: null, money: null, events: [] };
  const endpoint = endpointOf(call);
  const watch: WriteWatch = {
    seesRecord: (etag) => {
      seen = { ...seen, etag };
    },
    seesResult: (data, events, isDry) => {
      // If a preview is about to be committed, its transaction is rolled back.
      if (!isDry) throw new Error('a preview ran as a write');
      const money = moneyOf(endpoint!.id, data, call.request.body);
      seen = { ...seen, money, events: events.map(kindOfEvent) };
    },
  };
  // Endpoints that require a key get one that is kept nowhere: a dry run stores none.
  const headers = { 'X-Dry-Run': 'true', 'Idempotency-Key': newId() };
  const reply = await callApi(call.agent, { ...call.request, headers, watch });
  return reply.status >= 400 || endpoint === null ? reply : { ...seen, endpoint, reply };
}

const kindOfEvent = ({ kind }: NewEvent): string => kind;

async function preview(call: WriteCall, why?: string): Promise<ToolResult> {
  const made = await dryRun(call);
  if (!('endpoint' in made)) return refusalOf(made);
  const facts = factsOf(call, made);
  return answered({
    status: 'preview',
    ...(why === undefined ? {} : { notice: why }),
    ...shownOf(call, made),
    confirm: makeToken(ownerOf(call), call.request, facts),
    expires_at: new Date(facts.expiresAt).toISOString(),
    next: needsPerson(call, made) === null ? NEXT_TOKEN : NEXT_PERSON,
  });
}

const NEXT_TOKEN = 'Check the preview, then repeat with confirm.';
const NEXT_PERSON = 'Check the preview, then repeat with confirm; a person has to decide before anything changes.';

const factsOf = (call: WriteCall, { etag, money }: Preview): TokenFacts => ({
  id: newId(realNow(call).getTime()),
  expiresAt: realNow(call).getTime() + PREVIEW_MINUTES * 60_000,
  etag,
  money,
});

/** Our own words first, then the data of the records, apart. */
const shownOf = (call: WriteCall, { endpoint, money, events, reply }: Preview): Json => ({
  endpoint: endpoint.id,
  name: endpoint.name[call.locale],
  risk: endpoint.risk,
  money_moved: money === null ? 'unknown' : moneyText(money),
  events,
  needs_person: needsPerson(call, { endpoint, money }) ?? false,
  ...dataFrom(`${endpoint.id}, dry run`, cutValue(reply.json.data)),
});

const needsPerson = ({ agent }: WriteCall, { endpoint, money }: Pick<Preview, 'endpoint' | 'money'>): PersonReason | null =>
  personReason({ endpoint: endpoint.id, risk: endpoint.risk, money }, agent.key.agentCeilings);

// The confirmation

async function confirmFirst(call: WriteCall, token: string, facts: TokenFacts): Promise<ToolResult> {
  const endpoint = endpointOf(call);
  if (endpoint === null) return preview(call);
  const planned = writeOf(call, endpoint, facts);
  if (needsPerson(call, { endpoint, money: facts.money === null ? null : [...facts.money] }) === null) {
    const outcome = await approveAlone(call, planned);
    // A call at the same time has made the row: what it says counts, which may be that a person decides.
    if (outcome === 'known') return write(call, token);
    if (outcome === 'approved') return act(call, token, facts, planned, 'token');
  }
  return askPerson(call, token, facts, planned, endpoint);
}

/** `known`: the preview has a row already; `beyond`: the ceiling of the day is reached, and a person decides. */
async function approveAlone(call: WriteCall, planned: AgentWrite): Promise<'approved' | 'known' | 'beyond'> {
  const { agentCeilings: ceilings } = call.agent.key;
  try {
    const isFirst = await inAccount(call, 'write', (db) =>
      approveByToken(db, planned, { ceilings, day: today(call), realNow: realNow(call) }),
    );
    return isFirst ? 'approved' : 'known';
  } catch (error) {
    if (error instanceof BeyondDay) return 'beyond';
    throw error;
  }
}

async function askPerson(
  call: WriteCall,
  token: string,
  facts: TokenFacts,
  planned: AgentWrite,
  endpoint: ApiEndpoint,
): Promise<ToolResult> {
  const { agent, mcp } = call;
  if (mcp.elicits && agent.key.agentConfirmation === 'client' && fitsWindow(call.request)) {
    const { requestState, inputResponses } = mcp.params;
    if (!isStateOf(ownerOf(call), token, requestState) || inputResponses === undefined)
      return askWindow(endpoint, { facts, request: call.request, state: makeState(ownerOf(call), token), locale: call.locale });
    const isAccepted = readWindow(inputResponses, call.request);
    const isFirst = await inAccount(call, 'write', (db) => decideByClient(db, planned, isAccepted, realNow(call)));
    if (!isFirst) return write(call, token);
    return isAccepted ? act(call, token, facts, planned, 'client') : REJECTED;
  }
  const made = await dryRun(call);
  if (!('endpoint' in made)) return refusalOf(made);
  if (made.etag !== facts.etag) return outdated(call);
  return askPanel(call, token, planned, made);
}

async function askPanel(call: WriteCall, token: string, planned: AgentWrite, made: Preview): Promise<ToolResult> {
  const { key, parts } = call.agent;
  const keys = sealingKeys(parts.secrets, key.accountId);
  const { outcome, isNews } = await inAccount(call, 'write', (db) =>
    askPeople(db, keys, planned, { ...shownOf(call, made), request: { ...call.request } }, realNow(call)),
  );
  if (outcome === 'full') return TOO_MANY;
  // No mail leaves a sandbox: its approvals are in the panel only.
  if (isNews && parts.canMail && key.environment === 'production') {
    const about = {
      accountId: key.accountId,
      approvers: key.agentApprovers,
      keyName: key.name,
      endpointName: made.endpoint.name,
    };
    await parts.database.onPlatform('write', (db) =>
      notifyApprovers(db, vaultKeys(parts.secrets), { ...about, url: parts.publicUrl() }, realNow(call)),
    );
  }
  return outcome === 'asked' ? waiting(realNow(call)) : write(call, token);
}

const TOO_MANY = failedWith({
  code: 'too_many_waiting',
  message: 'Too many writes of this key wait for a person; nothing was changed',
  next: 'Wait until people have decided, then repeat.',
});

async function continueWith(call: WriteCall, token: string, facts: TokenFacts, row: AgentWriteRow): Promise<ToolResult> {
  const endpoint = endpointOf(call);
  if (endpoint === null) return preview(call);
  const now = realNow(call).getTime();
  const { status, confirmed_by, created_at, expires_at } = row;
  if (status === 'rejected') return REJECTED;
  if (status === 'failed') return outdated(call);
  if (status === 'done' && now - created_at.getTime() >= REPLAYED_MS) return preview(call, 'This was done before.');
  if (status !== 'done' && expires_at.getTime() <= now)
    return preview(call, 'The time for a decision is over; nothing was changed.');
  if (status === 'waiting' || confirmed_by === null) return waiting(created_at);
  const planned = writeOf(call, endpoint, facts);
  return status === 'done' ? repeat(call, token, facts, planned, confirmed_by) : act(call, token, facts, planned, confirmed_by);
}

const waiting = (since: Date): ToolResult =>
  answered({
    status: 'waiting',
    expires_at: new Date(since.getTime() + APPROVAL_MINUTES * 60_000).toISOString(),
    next: 'A person decides in the panel, under Agents. Repeat the same call later; nothing has changed yet.',
  });

const REJECTED = answered({ status: 'rejected', next: 'A person has rejected this. Do not repeat it.' });

/** 409: the new preview shows what holds now. */
async function outdated(call: WriteCall): Promise<ToolResult> {
  const made = await preview(call);
  const message = 'The record or the amount has changed since the preview, or the write was refused; nothing was changed.';
  const next = 'Check the new preview, then repeat with its confirm.';
  return failedWith({ code: 'preview_outdated', message, next }, { preview: contentOf(made) });
}

// The act

type ConfirmedBy = NonNullable<AgentVia['confirmed_by']>;

async function act(
  call: WriteCall,
  token: string,
  facts: TokenFacts,
  planned: AgentWrite,
  confirmedBy: ConfirmedBy,
): Promise<ToolResult> {
  const watch = sameMoney(planned.endpoint, facts, call.request);
  const reply = await send(call, token, facts, confirmedBy, watch);
  const isDone = reply.status < 300;
  const { timezone } = call.agent.key;
  if (isDone || isFinal(reply))
    await inAccount(call, 'write', (db) => finishAgentWrite(db, planned, isDone, { realNow: realNow(call), timezone }));
  return resultOf(call, planned, confirmedBy, reply);
}

/** What was done is answered again, and never done again: a reset of the sandbox forgets the first reply, but not the row. */
const repeat = async (
  call: WriteCall,
  token: string,
  facts: TokenFacts,
  planned: AgentWrite,
  confirmedBy: ConfirmedBy,
): Promise<ToolResult> => resultOf(call, planned, confirmedBy, await send(call, token, facts, confirmedBy, ONLY_REPLAY));

const ONLY_REPLAY: WriteWatch = { seesRecord: () => {}, seesResult: () => fail('preview_outdated') };

function send(call: WriteCall, token: string, facts: TokenFacts, confirmedBy: ConfirmedBy, watch: WriteWatch): Promise<OwnReply> {
  const headers = { 'Idempotency-Key': token, ...(facts.etag === null ? {} : { 'If-Match': facts.etag }) };
  const via = { preview_id: facts.id, confirmed_by: confirmedBy };
  return callApi(call.agent, { ...call.request, headers, via, watch });
}

async function resultOf(call: WriteCall, planned: AgentWrite, confirmedBy: ConfirmedBy, reply: OwnReply): Promise<ToolResult> {
  if (reply.status < 300) {
    const events = reply.headers.has('idempotent-replayed') ? { repeated: true } : {};
    return answered({
      status: 'done',
      confirmed_by: confirmedBy,
      ...events,
      ...dataFrom(planned.endpoint, cutValue(reply.json.data)),
    });
  }
  const { code } = reply.json.error;
  return code === 'precondition_failed' || code === 'preview_outdated' ? outdated(call) : refusalOf(reply);
}

/** These refuse the same call again; others (limits, a running write, an outage) pass. */
const isFinal = ({ status, json }: OwnReply): boolean =>
  [402, 404, 409, 412, 422].includes(status) && json.error.code !== 'idempotency_in_progress';

/** The act moves what the preview showed, to the unit; otherwise it is rolled back. */
const sameMoney = (endpointId: string, { money }: TokenFacts, { body }: WriteRequest): WriteWatch => ({
  seesRecord: () => {},
  seesResult: (data) => {
    if (textOf(moneyOf(endpointId, data, body)) !== textOf(money)) fail('preview_outdated');
  },
});

const textOf = (money: readonly Amount[] | null): string =>
  money === null ? 'unknown' : money.map(({ currency, minor }) => `${currency}${minor}`).join(' ');

const writeOf = ({ agent, request }: WriteCall, endpoint: ApiEndpoint, { id, money }: TokenFacts): AgentWrite => ({
  id,
  keyId: agent.key.id,
  endpoint: endpoint.id,
  path: request.path,
  money: money ?? [],
  client: agent.client,
});

const ownerOf = ({ agent }: WriteCall): TokenOwner => ({
  secret: agent.parts.secrets.agents,
  accountId: agent.key.accountId,
  keyId: agent.key.id,
});

const realNow = ({ agent }: WriteCall): Date => agent.call.realNow;
const today = (call: WriteCall): string => dayIn(realNow(call), call.agent.key.timezone);

const inAccount = <T>({ agent }: WriteCall, mode: 'read' | 'write', work: (db: Db) => Promise<T>): Promise<T> =>
  mode === 'read'
    ? agent.parts.database.inTenant(agent.key.accountId, 'read', work)
    : agent.parts.database.inTenant(agent.key.accountId, 'write', work, keepsVersion);
