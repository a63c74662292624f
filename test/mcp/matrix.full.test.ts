// Every kind of write × every confirmation × what agents may do with the key: only the allowed ones act.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decideInPanel } from '../../src/domain/agents/agent-writes.ts';
import { keepsVersion } from '../../src/kit/db.ts';
import { newId } from '../../src/kit/ids.ts';
import { sql } from '../../src/kit/sql.ts';
import { newAgent, setAgents, type TestAgent } from '../support/agent.ts';
import { carOf, collect, customerOf, dataOf, sell } from '../support/books.ts';
import { type TestService, testService } from '../support/service.ts';
import { aCar, type Dealer, newDealer, openAll } from '../support/writer.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary JSON
type Shown = any;

interface Planned {
  readonly args: { readonly method: string; readonly path: string; readonly body?: Shown };
  hasActed(): Promise<boolean>;
}

const ACCESS = ['off', 'read', 'write'] as const;
const CEILINGS = { STG: { call: '1000', day: '1000000' } };

let api: TestService;
let dealer: Dealer;
let keyId: string;
const agents: Record<string, TestAgent> = {};

beforeAll(async () => {
  api = await testService();
  await openAll(api);
  dealer = await newDealer(api);
  const [key] = await api.database.onPlatform('read', (db) =>
    db.rows<{ id: string }>(sql`select id from api_keys where account_id = ${dealer.accountId}`),
  );
  keyId = key!.id;
  const answer = (isApproved: boolean) => () =>
    isApproved ? { action: 'accept', content: { approve: true } } : { action: 'decline' };
  agents.silent = await newAgent(api.service.url, dealer.key);
  agents.accepts = await newAgent(api.service.url, dealer.key, { answers: answer(true) });
  agents.declines = await newAgent(api.service.url, dealer.key, { answers: answer(false) });
});
afterAll(async () => {
  for (const agent of Object.values(agents)) await agent.close();
  await api.close();
});

const listOf = async (path: string): Promise<Shown[]> => dataOf(await dealer.get(path)) as Shown[];

/** A collection of an open sale, with its own amount so that it is found again. */
async function collection(amount: string): Promise<Planned> {
  const terms = { sale_price: '900.00', currency: 'STG', installment_count: 3 };
  const sale = dataOf(await sell(dealer, { vehicle_id: await carOf(dealer), customer_id: await customerOf(dealer), ...terms }));
  return {
    args: { method: 'POST', path: 'collections', body: { sale_id: sale.id, amount, currency: 'STG' } },
    hasActed: async () => (await listOf(`collections?sale_id=${sale.id}`)).length > 0,
  };
}

/** One for each way in which a person can be needed, and the two that need none. */
const WRITES: Readonly<Record<string, () => Promise<Planned>>> = {
  'without money': async () => {
    const body = aCar();
    const hasActed = async () => (await listOf(`vehicles?plate=${encodeURIComponent(body.plate)}`)).length > 0;
    return { args: { method: 'POST', path: 'vehicles', body }, hasActed };
  },
  'of money below the ceiling': () => collection('10.00'),
  'of money above the ceiling': () => collection('10.01'),
  destructive: async () => {
    const path = `vehicles/${await carOf(dealer)}`;
    return { args: { method: 'DELETE', path }, hasActed: async () => dataOf(await dealer.get(path)).deleted_at !== null };
  },
  sensitive: async () => {
    const { args } = await collection('10.00');
    const { id } = dataOf(await collect(dealer, args.body.sale_id, '10.00'));
    const body = { reason: 'yanlış giriş' };
    const hasActed = async () => dataOf(await dealer.get(`collections/${id}`)).reversed_by_id !== null;
    return { args: { method: 'POST', path: `collections/${id}/reverse`, body }, hasActed };
  },
  'that reaches outside': async () => {
    const body = { url: `https://example.com/${newId()}`, events: ['vehicle.created'] };
    const hasActed = async () => {
      const made = (await listOf('webhooks?limit=100')).find(({ url }) => url === body.url);
      // A dealer has only so many webhooks.
      if (made !== undefined) dataOf(await dealer.delete(`webhooks/${made.id}`));
      return made !== undefined;
    };
    return { args: { method: 'POST', path: 'webhooks', body }, hasActed };
  },
};
const NEEDS_NO_PERSON = ['without money', 'of money below the ceiling'];

const decide = (token: string, isApproved: boolean) =>
  api.database.inTenant(
    dealer.accountId,
    'write',
    (db) => decideInPanel(db, token.split('.')[1]!, isApproved, newId(), api.clock.realNow()),
    keepsVersion,
  );

type Confirm = (args: Planned['args'], confirm: string) => Promise<unknown>;
const use = (agent: string, args: object) => agents[agent]!.use('write', { ...args }).catch(() => null);
const decided =
  (isApproved: boolean): Confirm =>
  async (args, confirm) => {
    await use('silent', { ...args, confirm });
    await decide(confirm, isApproved);
    await use('silent', { ...args, confirm });
  };

const CONFIRMATIONS: Readonly<Record<string, Confirm>> = {
  'no token': (args) => use('accepts', args),
  'the token alone': (args, confirm) => use('silent', { ...args, confirm }),
  'the token twice': async (args, confirm) => {
    await use('silent', { ...args, confirm });
    await use('silent', { ...args, confirm });
  },
  'an approval in the panel': decided(true),
  'a rejection in the panel': decided(false),
  'an approval in the client’s window': (args, confirm) => use('accepts', { ...args, confirm }),
  'a refusal in the client’s window': (args, confirm) => use('declines', { ...args, confirm }),
};
const BY_PERSON = ['an approval in the panel', 'an approval in the client’s window'];

interface Tried extends Planned {
  readonly what: string;
  readonly by: string;
  readonly confirm: string;
}

async function previewAll(): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const [what, plan] of Object.entries(WRITES))
    for (const by of Object.keys(CONFIRMATIONS)) {
      const planned = await plan();
      const { confirm, needs_person } = await agents.silent!.use('write', planned.args);
      expect(needs_person === false, what).toBe(NEEDS_NO_PERSON.includes(what));
      tried.push({ ...planned, what, by, confirm });
    }
  return tried;
}

test.each(ACCESS.flatMap((access) => (['client', 'panel'] as const).map((confirmation) => [access, confirmation] as const)))(
  'agents %s, confirmed in the %s',
  async (access, confirmation) => {
    // The previews are made while writing is allowed: what counts is what the key admits when they are confirmed.
    await setAgents(api, keyId, { agents: 'write', confirmation, ceilings: CEILINGS });
    const tried = await previewAll();
    await setAgents(api, keyId, { agents: access, confirmation, ceilings: CEILINGS });
    const acted: string[] = [];
    for (const { what, by, args, confirm, hasActed } of tried) {
      await CONFIRMATIONS[by]!(args, confirm);
      if (await hasActed()) acted.push(`${what}: ${by}`);
      // Only so many writes of a key wait at once.
      await decide(confirm, false);
    }
    const people = confirmation === 'client' ? BY_PERSON : ['an approval in the panel'];
    const allowed = tried.filter(
      ({ what, by }) => access === 'write' && by !== 'no token' && (NEEDS_NO_PERSON.includes(what) || people.includes(by)),
    );
    expect(acted).toEqual(allowed.map(({ what, by }) => `${what}: ${by}`));
  },
);
