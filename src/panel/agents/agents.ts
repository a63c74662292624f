// Agents in the panel: what they may do with a key, and the writes that wait for a person.
import { decideInPanel, openPreview } from '../../domain/agents/agent-writes.ts';
import { mayUse } from '../../domain/identity/roles.ts';
import {
  AGENT_ACCESS,
  AGENT_CONFIRMATIONS,
  AGENT_WRITE_STATES,
  type AgentAccess,
  type AgentCeilings,
  type AgentConfirmation,
  type AgentWriteState,
} from '../../domain/keys/agent-states.ts';
import { endpointsOf } from '../../domain/keys/keys.ts';
import { listField, moneyField, oneOfField, required, uuidField } from '../../domain/records/fields.ts';
import { sealingKeys } from '../../domain/vault/vault.ts';
import { audit } from '../../domain/writes/audit.ts';
import type { Db } from '../../kit/db.ts';
import type { Risk } from '../../kit/endpoint.ts';
import { fail, type Text } from '../../kit/errors.ts';
import { CURRENCIES, type Currency, formatMoney } from '../../kit/money.ts';
import { oneOfParam, paging } from '../../kit/params.ts';
import { allOf, own, sql } from '../../kit/sql.ts';
import { holds, requireRecent } from '../keys/key-confirmation.ts';
import { listed, type PanelAccount, type PanelSession, panelGet, panelPatch, panelPost } from '../kit/endpoint.ts';
import type { PanelServices } from '../kit/services.ts';

/** A viewer decides nothing. */
const DECIDERS = ['owner', 'developer', 'finance', 'sales'] as const;
const MAX_APPROVERS = 50;
const DAYS = 30;

export interface AgentSettings {
  readonly agents: AgentAccess;
  readonly confirmation: AgentConfirmation;
  readonly ceilings: readonly { readonly currency: Currency; readonly call: string; readonly day: string }[];
  /** Empty: the owners. */
  readonly approvers: readonly string[];
  readonly people: readonly { readonly id: string; readonly full_name: string }[];
  /** The address for clients. */
  readonly url: string;
  readonly days: readonly AgentDay[];
}

export interface AgentDay {
  readonly day: string;
  readonly calls: number;
  readonly refused: number;
  readonly writes: number;
  readonly moved: readonly { readonly currency: string; readonly amount: string }[];
}

export interface AgentWriteLine {
  readonly id: string;
  readonly key_name: string;
  readonly client: string | null;
  readonly endpoint: string;
  readonly name: Text;
  readonly risk: Risk;
  readonly path: string;
  readonly status: AgentWriteState | 'expired';
  readonly confirmed_by: 'token' | 'client' | 'panel' | null;
  readonly decided_by_name: string | null;
  readonly money: readonly { readonly currency: string; readonly amount: string }[];
  readonly created_at: string;
  readonly expires_at: string;
  readonly may_decide: boolean;
  /** What the write would do, while it waits; null otherwise, and for a person who may not decide it. */
  readonly preview: unknown;
}

const money = () => moneyField();
const SETTINGS = {
  agents: required(oneOfField(AGENT_ACCESS)),
  confirmation: required(oneOfField(AGENT_CONFIRMATIONS)),
  approvers: listField(uuidField, MAX_APPROVERS),
  tl_call: money(),
  tl_day: money(),
  stg_call: money(),
  stg_day: money(),
  usd_call: money(),
  usd_day: money(),
  eur_call: money(),
  eur_day: money(),
};

export const agentEndpoints = [
  panelGet('keys/{key_id}/agents', {
    who: ['owner', 'developer'],
    databaseRole: 'platform',
    run: ({ db, account, params, services, realNow }) => readSettings(db, services, account.id, params.key_id, realNow),
  }),
  panelPatch('keys/{key_id}/agents', {
    who: ['owner'],
    databaseRole: 'platform',
    bodySchema: SETTINGS,
    run: async ({ db, account, params, services, session, body, actor, realNow }): Promise<AgentSettings> => {
      const { agents, confirmation, approvers = [], ...sums } = body;
      const { key, people } = await ownKey(db, account.id, params.key_id);
      const held = await endpointsOf(db, account.id, params.key_id);
      // Access that moves data or reads sensitive figures is given with a fresh password; taking it away is not.
      if (agents === 'write' || holds(services, held, 'sensitive')) requireRecent(session);
      if (approvers.some((id) => !people.some((person) => person.id === id))) fail('not_found');
      const ceilings = ceilingsOf(sums);
      await db.exec(sql`update api_keys set agents = ${agents}, agent_confirmation = ${confirmation},
          agent_ceilings = ${JSON.stringify(ceilings)}::jsonb, agent_approvers = ${approvers}::uuid[], updated_at = ${realNow}
        where account_id = ${account.id} and id = ${params.key_id}`);
      const set = { agents, agent_confirmation: confirmation, agent_ceilings: ceilings, agent_approvers: [...approvers] };
      const [before, after] = changedFacts(factsOf(key, people), factsOf(set, people));
      await audit(db, actor, 'key.agents_changed', params.key_id, { accountId: account.id, before, after });
      return readSettings(db, services, account.id, params.key_id, realNow);
    },
  }),
  panelGet('agent-writes', {
    who: DECIDERS,
    databaseRole: 'tenant',
    ofOwner: true,
    query: { ...paging, status: oneOfParam(AGENT_WRITE_STATES) },
    run: async ({ db, query, account, session, services, realNow }) => {
      const { limit, offset, status } = query;
      const found = await readWrites(db, { account, session, services, realNow }, { status, limit: limit + 1, offset });
      return listed(found, { limit, offset });
    },
  }),
  panelPost('agent-writes/{write_id}/approve', {
    who: DECIDERS,
    databaseRole: 'tenant',
    ofOwner: true,
    recent: true,
    run: async ({ db, params, account, session, services, realNow, actor }) =>
      decideWrite(db, { account, session, services, realNow }, { id: params.write_id, isApproved: true, actor }),
  }),
  panelPost('agent-writes/{write_id}/reject', {
    who: DECIDERS,
    databaseRole: 'tenant',
    ofOwner: true,
    run: async ({ db, params, account, session, services, realNow, actor }) =>
      decideWrite(db, { account, session, services, realNow }, { id: params.write_id, isApproved: false, actor }),
  }),
];

type Sums = Readonly<Partial<Record<string, bigint>>>;

function ceilingsOf(sums: Sums): AgentCeilings {
  const of = (currency: Currency, span: string) => String(sums[`${currency.toLowerCase()}_${span}`] ?? 0n);
  return Object.fromEntries(CURRENCIES.map((currency) => [currency, { call: of(currency, 'call'), day: of(currency, 'day') }]));
}

type Facts = Readonly<Record<string, string | readonly string[]>>;

/** For the audit log, by the names of the request, with amounts and people as they are read. */
function factsOf(key: KeyAgents, people: readonly { readonly id: string; readonly full_name: string }[]): Facts {
  const sums = CURRENCIES.flatMap((currency) =>
    (['call', 'day'] as const).map((span) => {
      const minor = BigInt(key.agent_ceilings[currency]?.[span] ?? 0);
      return [`${currency.toLowerCase()}_${span}`, formatMoney(minor)] as const;
    }),
  );
  const approvers = key.agent_approvers.map((id) => people.find((person) => person.id === id)?.full_name ?? id);
  return { agents: key.agents, confirmation: key.agent_confirmation, approvers, ...Object.fromEntries(sums) };
}

function changedFacts(before: Facts, after: Facts): [before: Facts, after: Facts] {
  const names = Object.keys(after).filter((name) => String(before[name]) !== String(after[name]));
  const only = (facts: Facts): Facts => Object.fromEntries(names.map((name) => [name, facts[name] ?? '']));
  return [only(before), only(after)];
}

interface KeyAgents {
  readonly agents: AgentAccess;
  readonly agent_confirmation: AgentConfirmation;
  readonly agent_ceilings: AgentCeilings;
  readonly agent_approvers: string[];
}

async function ownKey(db: Db, accountId: string, keyId: string) {
  const [key] = await db.rows<KeyAgents>(sql`select agents, agent_confirmation, agent_ceilings, agent_approvers from api_keys
    where account_id = ${accountId} and id = ${keyId}`);
  const people = await db.rows<{ id: string; full_name: string }>(sql`select p.id, p.full_name from members m
    join people p on p.id = m.person_id where m.account_id = ${accountId} and m.active and m.role <> 'viewer' and p.disabled_at is null
    order by fold_tr(p.full_name), p.id limit 200`);
  return { key: key ?? fail('not_found'), people };
}

async function readSettings(
  db: Db,
  services: PanelServices,
  accountId: string,
  keyId: string,
  realNow: Date,
): Promise<AgentSettings> {
  const { key, people } = await ownKey(db, accountId, keyId);
  const since = new Date(realNow.getTime() - DAYS * 86_400_000).toISOString().slice(0, 10);
  type Row = { day: string; currency: string; calls: number; refused: number; writes: number; moved: string };
  const rows = await db.rows<Row>(sql`select day::text as day, currency, calls, refused, writes, moved_minor::text as moved
    from agent_days where account_id = ${accountId} and key_id = ${keyId} and day >= ${since}::date order by day desc, currency`);
  const days = [...Map.groupBy(rows, ({ day }) => day)].map(([day, inDay]) => {
    const { calls = 0, refused = 0, writes = 0 } = inDay.find(({ currency }) => currency === '') ?? {};
    const moved = inDay
      .filter((row) => row.currency !== '' && row.moved !== '0')
      .map((row) => ({ currency: row.currency, amount: formatMoney(BigInt(row.moved)) }));
    return { day, calls, refused, writes, moved };
  });
  return {
    agents: key.agents,
    confirmation: key.agent_confirmation,
    ceilings: CURRENCIES.map((currency) => ({
      currency,
      call: formatMoney(BigInt(key.agent_ceilings[currency]?.call ?? 0)),
      day: formatMoney(BigInt(key.agent_ceilings[currency]?.day ?? 0)),
    })),
    approvers: key.agent_approvers,
    people,
    url: `${services.publicUrl()}/mcp`,
    days,
  };
}

interface Decider {
  readonly account: PanelAccount;
  readonly session: PanelSession;
  readonly services: PanelServices;
  readonly realNow: Date;
}

interface WriteRow {
  id: string;
  key_name: string;
  approvers: string[];
  client: string | null;
  endpoint: string;
  path: string;
  status: AgentWriteState;
  confirmed_by: AgentWriteLine['confirmed_by'];
  decided_by_name: string | null;
  money: { currency: string; minor: string }[];
  created_at: Date;
  expires_at: Date;
  preview_encrypted: Buffer | null;
}

/** A salesperson sells and collects for own sales only, which a write of an agent does not name. */
const OF_OWN_SALES: readonly string[] = ['sales:write', 'collections:write'];

/** The owners, or those whom the key names; and only what their own role could do. */
function mayDecide({ account, session, services }: Decider, endpointId: string, approvers: readonly string[]): boolean {
  const endpoint = services.catalog.byId.get(endpointId);
  const isChosen = approvers.length === 0 ? account.role === 'owner' : approvers.includes(session.person.id);
  if (session.look || !isChosen || endpoint === undefined || !mayUse(account.role, endpoint)) return false;
  return account.role !== 'sales' || !OF_OWN_SALES.includes(endpoint.scope);
}

async function readWrites(
  db: Db,
  decider: Decider,
  { status, limit, offset }: { status: AgentWriteState | undefined; limit: number; offset: number },
): Promise<AgentWriteLine[]> {
  const { account, session, services, realNow } = decider;
  const where = [
    ...(status === undefined ? [] : [sql`agent_writes.status = ${status}`]),
    // Others than the owners see what is theirs to decide.
    ...(account.role === 'owner' || session.look ? [] : [sql`${session.person.id}::uuid = any(api_keys.agent_approvers)`]),
  ];
  const rows = await db.rows<WriteRow>(sql`select agent_writes.id, api_keys.name as key_name,
      api_keys.agent_approvers as approvers, client, endpoint, path, status, confirmed_by, money, agent_writes.created_at,
      agent_writes.expires_at, preview_encrypted,
      (select full_name from ${own('members')} where person_id = decided_by limit 1) as decided_by_name
    from ${own('agent_writes')} join ${own('api_keys')} on api_keys.id = key_id
    where true${allOf(where)} order by agent_writes.created_at desc, agent_writes.id desc limit ${limit} offset ${offset}`);
  const keys = sealingKeys(services.secrets, account.id);
  return rows.map((row) => {
    const endpoint = services.catalog.byId.get(row.endpoint);
    const isOpen = row.status === 'waiting' && row.expires_at > realNow;
    const may = isOpen && mayDecide(decider, row.endpoint, row.approvers);
    return {
      id: row.id,
      key_name: row.key_name,
      client: row.client,
      endpoint: row.endpoint,
      name: endpoint?.name ?? { en: row.endpoint, tr: row.endpoint },
      risk: endpoint?.risk ?? 'sensitive',
      path: row.path,
      status: row.status === 'waiting' && !isOpen ? 'expired' : row.status,
      confirmed_by: row.confirmed_by,
      decided_by_name: row.decided_by_name,
      money: row.money.map(({ currency, minor }) => ({ currency, amount: formatMoney(BigInt(minor)) })),
      created_at: row.created_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
      may_decide: may,
      preview: may && row.preview_encrypted !== null ? openPreview(keys, row.id, row.preview_encrypted) : null,
    };
  });
}

interface Decision {
  readonly id: string;
  readonly isApproved: boolean;
  readonly actor: Parameters<typeof audit>[1];
}

async function decideWrite(db: Db, decider: Decider, { id, isApproved, actor }: Decision): Promise<{ readonly status: string }> {
  const { account, session, realNow } = decider;
  type Row = { endpoint: string; approvers: string[]; key_name: string };
  const [row] = await db.rows<Row>(sql`select endpoint, agent_approvers as approvers, name as key_name
    from ${own('agent_writes')} join ${own('api_keys')} on api_keys.id = key_id where agent_writes.id = ${id}`);
  if (row === undefined) fail('not_found');
  if (!mayDecide(decider, row.endpoint, row.approvers)) fail('not_permitted');
  if (!(await decideInPanel(db, id, isApproved, session.person.id, realNow))) fail('approval_closed');
  const action = isApproved ? 'agent_write.approved' : 'agent_write.rejected';
  await audit(db, actor, action, id, { accountId: account.id, after: { endpoint: row.endpoint, key: row.key_name } });
  return { status: isApproved ? 'approved' : 'rejected' };
}
