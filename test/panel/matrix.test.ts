// Every panel endpoint, its own and the catalog's, against every kind of caller, with another dealer's records really created:
// access is what access-table.ts declares, and another dealer's record is indistinguishable from one that never existed.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES, type Role } from '../../src/domain/identity/roles.ts';
import { TRIES_PER_MINUTE } from '../../src/http/panel/playground.ts';
import { newId } from '../../src/kit/ids.ts';
import { TENANT_TABLES } from '../../src/kit/tenant-tables.ts';
import { panelEndpoints } from '../../src/panel/index.ts';
import { openSession, type Session } from '../../src/postgres/database.ts';
import { payloadOf, withPicture } from '../contract/payload.ts';
import { makeWorld, REQUESTS, type World } from '../contract/requests.ts';
import { moveToDemo } from '../support/auctions.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { testSandbox } from '../support/worlds.ts';
import { type Dealer, fillDealer } from '../tenancy/dealers.ts';
import { CATALOG_TABLE, KNOCKERS, type Knocker, PANEL_TABLE } from './access-table.ts';
import { newBranch, newestSecret, newKey, newStaff, PANEL_REQUESTS, type PanelRequest } from './endpoint-requests.ts';
import {
  absent,
  absentFor,
  builtEndpoints,
  catalogEndpoints,
  eachEndpoint,
  essence,
  idFields,
  isAdminEndpoint,
  isIdSchema,
  type ListedEndpoint,
  listedEndpoints,
  namesRecords,
  recordPlaces,
  withIds,
} from './panel-endpoint-list.ts';
import { type Browser, newPerson, signedIn, type TestPerson } from './people.ts';

const everyone = Object.values(KNOCKERS);
const isRole = (who: Knocker): who is Role => (ROLES as readonly string[]).includes(who);

let service: TestService;
let admin: Session;
let mine: World;
let other: World;
let stranger: TestPerson;
let dealer: Dealer;
const browsers = new Map<Knocker, Browser>();
const people = new Map<Knocker, TestPerson>();

beforeAll(async () => {
  // At noon: no reminders are sent at night.
  service = await testService({
    at: `${new Date().toISOString().slice(0, 10)}T10:00:00Z`,
    // One dealer holds half of them, and less while its transactions are slow: the endpoints of a test are called by one dealer.
    database: { connections: 12 },
    env: { SANDBOX: 'isolated' },
    sandbox: testSandbox,
  });
  admin = await openSession(service.adminUrl);
  const ids = builtEndpoints.map(({ id }) => id);
  await service.release('Aktif', ...ids);
  mine = await makeWorld(service, ids);
  for (const who of everyone) browsers.set(who, await another(who));
  dealer = await fillDealer(service, 'foreigntag', 7);
  const { accountId, keys, vehicles, customers } = dealer;
  const { id: keyId, secret: key } = keys.all;
  other = { api: service, accountId, keyId, key, vehicleId: vehicles[0]!, customerId: customers[0]! };
  stranger = await newPerson(service, { accountId });
  await signedIn(service, stranger);
});
afterAll(async () => {
  await admin?.close();
  await service?.close();
});

/** A new person of that kind, signed in. */
async function another(who: Knocker): Promise<Browser> {
  const body = isRole(who) ? { accountId: mine.accountId, role: who } : { admin: who !== 'person' };
  const person = await newPerson(service, body);
  if (!people.has(who)) people.set(who, person);
  const browser = await signedIn(service, person);
  if (who !== 'look') return browser;
  const looking = await browser.api('session/look', { method: 'POST', body: { account_id: mine.accountId } });
  expect(looking.status, looking.text).toBe(200);
  return browser;
}

/** A stream that stays open is left at its first message; one for a missing record ends on its own. */
async function send(who: Knocker, endpoint: ListedEndpoint, request: PanelRequest, isToEnd = false): Promise<Answer> {
  const browser = browsers.get(who)!;
  const path = `${endpoint.prefix}${request.path}`;
  // As the panel's forms send it.
  const sent = endpoint.method === 'GET' ? {} : { 'idempotency-key': randomUUID() };
  if (request.form !== undefined) {
    const { headers, body } = payloadOf(request);
    const raw = request.isPicture ? withPicture(body!) : body!;
    return browser.api(path, { method: endpoint.method, raw, headers: { ...sent, ...headers } });
  }
  if (!endpoint.stream) return browser.api(path, { method: endpoint.method, body: request.body, headers: sent });
  const response = await fetch(`${browser.url}/panel/api/${path}`, { headers: { cookie: browser.cookieText() } });
  const { status, headers } = response;
  const isLeft = status === 200 && !isToEnd;
  if (isLeft) await response.body!.cancel();
  const text = isLeft ? '' : await response.text();
  return { status, headers, text, json: text.startsWith('{') ? JSON.parse(text) : undefined };
}

/** A field that no endpoint has: an authorized caller gets an error, and nothing is done. */
const probeOf = (endpoint: ListedEndpoint): PanelRequest => ({
  path: endpoint.path.replace(/\{\w+\}/g, newId()),
  body: { no_row_has_this_field: true },
});

const describeReply = (endpoint: ListedEndpoint, who: Knocker, { status, text }: Answer): string =>
  `${who} ${endpoint.id}: ${status} ${text.slice(0, 200)}`;

/** Data of the other dealer in a reply, besides the ids that were sent. */
function canaries(endpoint: ListedEndpoint, who: Knocker, { text, headers }: Answer, sent: PanelRequest): string[] {
  const whole = `${text}\n${[...headers].join('\n')}`.toLowerCase();
  const input = JSON.stringify(sent).toLowerCase();
  const marks = [...dealer.marks].map((mark) => mark.toLowerCase());
  return marks
    .filter((mark) => whole.includes(mark) && !input.includes(mark))
    .map((mark) => `${who} ${endpoint.id} shows ${mark}`);
}

/** Another dealer's record and a missing one are indistinguishable. */
function differences(endpoint: ListedEndpoint, who: Knocker, theirs: Answer, nothing: Answer): string[] {
  const [one, next] = [JSON.stringify(essence(theirs)), JSON.stringify(essence(nothing))];
  return one === next ? [] : [`${who} ${endpoint.id} distinguishes ${one} from ${next}`];
}

/** All data of the other dealer, by table. */
async function everythingOf({ accountId }: World): Promise<Record<string, string>> {
  await service.logged();
  const texts: Record<string, string> = {};
  for (const table of TENANT_TABLES) {
    const column = table === 'accounts' || table === 'data_sets' ? 'id' : 'account_id';
    const [row] = await admin.rows<{ text: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as text from ${table} t where ${column} = $1`,
      [accountId],
    );
    texts[table] = row!.text;
  }
  const [person] = await admin.rows<{ text: string }>(
    `select p::text || ' ' || (select count(*) from sessions where person_id = p.id) as text from people p where id = $1`,
    [stranger.id],
  );
  return { ...texts, people: person!.text };
}

describe('the table', () => {
  test('lists every endpoint of both parts and no other', () => {
    expect([...PANEL_TABLE.keys()].sort()).toEqual(panelEndpoints.map(({ id }) => id).sort());
    expect([...CATALOG_TABLE.keys()].sort()).toEqual(catalogEndpoints.map(({ id }) => id).sort());
  });

  test('has a request for every endpoint that names a record', () => {
    const inBody = panelEndpoints.filter(({ bodySchema: takes }) =>
      Object.values(takes ?? {}).some(({ schema }) => isIdSchema(schema)),
    );
    const needed = [...panelEndpoints.filter(({ path }) => path.includes('{')), ...inBody];
    expect(needed.map(({ id }) => id).filter((id) => PANEL_REQUESTS[id] === undefined)).toEqual([]);
    expect(builtEndpoints.map(({ id }) => id).filter((id) => REQUESTS[id] === undefined)).toEqual([]);
  });
});

/** Endpoints whose success would change the calling session, or contact an external address. */
const NOT_TRIED = ['POST session/account', 'POST session/look', 'POST import/preview'];

test('authorized callers succeed, and get nothing of another dealer', async () => {
  const problems: string[] = [];
  await eachEndpoint(async (endpoint) => {
    for (const who of endpoint.allowed) {
      const isTried = endpoint.build !== null && !NOT_TRIED.includes(endpoint.id);
      const request = isTried ? await endpoint.build!(mine, people.get(who)!) : probeOf(endpoint);
      const answer = await send(who, endpoint, request);
      const expected = endpoint.answers === null ? 501 : isTried || endpoint.method === 'GET' ? endpoint.answers : 422;
      if (answer.status !== expected || answer.headers.get('cache-control') !== 'no-store')
        problems.push(describeReply(endpoint, who, answer));
      if (!isAdminEndpoint(endpoint)) problems.push(...canaries(endpoint, who, answer, request));
    }
  });
  expect(problems).toEqual([]);
});

describe("another dealer's records", () => {
  /** A valid request for each, as if the other dealer sent it. */
  const requests = new Map<ListedEndpoint, PanelRequest>();
  beforeAll(async () => {
    const known = await auctions();
    await eachEndpoint(async (endpoint) => {
      requests.set(endpoint, endpoint.build === null ? probeOf(endpoint) : await endpoint.build(other, stranger));
    });
    // A dealer has one of them at a time while they are created: here each must be alive.
    await admin.rows('update webhooks set deleted_at = null where account_id = $1', [other.accountId]);
    // Auctions are visible in the whole network: these are of the other one.
    await moveToDemo(
      admin,
      (await auctions()).filter((id) => !known.includes(id)),
      true,
    );
  });

  test('are refused to unauthorized callers, absent for authorized ones, and stay unchanged', async () => {
    const before = await everythingOf(other);
    const problems: string[] = [];
    await eachEndpoint(async (endpoint) => {
      const request = requests.get(endpoint)!;
      for (const who of everyone) {
        if (
          endpoint.allowed.has(who) &&
          (isAdminEndpoint(endpoint) || endpoint.build === null || !namesRecords(endpoint, request))
        )
          continue;
        // Network members may offer on what another dealer has published there.
        if (endpoint.allowed.has(who) && endpoint.id === 'v1 POST network-offers') continue;
        const answer = await send(who, endpoint, request, true);
        problems.push(...canaries(endpoint, who, answer, request));
        if (endpoint.allowed.has(who)) {
          const nothing = await send(who, endpoint, absent(endpoint, request), true);
          problems.push(...differences(endpoint, who, answer, nothing));
          if (recordPlaces(endpoint).length > 0 && answer.status !== 404 && !endpoint.stream)
            problems.push(describeReply(endpoint, who, answer));
        } else if (answer.status !== 403 || !['not_permitted', 'look_only'].includes(answer.json?.error.code))
          problems.push(describeReply(endpoint, who, answer));
      }
    });
    expect(problems).toEqual([]);
    expect(await everythingOf(other)).toEqual(before);
  });

  test('are absent for the playground of the catalog, too', async () => {
    const problems: string[] = [];
    const tried = listedEndpoints.filter(
      (endpoint) => endpoint.prefix === 'v1/' && endpoint.method === 'GET' && endpoint.answers !== null,
    );
    const named = tried.filter((one) => recordPlaces(one).length > 0);
    for (const who of ['owner', 'developer', 'look'] as const) {
      for (let from = 0; from < named.length; from += TRIES_PER_MINUTE) {
        const browser = await another(who);
        for (const endpoint of named.slice(from, from + TRIES_PER_MINUTE)) {
          const request = requests.get(endpoint)!;
          const answer = await browser.api(`try/${request.path}`);
          if (answer.status !== (endpoint.allowed.has(who) ? 404 : 403)) problems.push(describeReply(endpoint, who, answer));
          problems.push(...canaries(endpoint, who, answer, request));
        }
      }
    }
    expect(problems).toEqual([]);
  });

  /** A record of the other dealer, by the name of the field or parameter. */
  const THEIRS: Readonly<Record<string, () => string | Promise<string>>> = {
    account_id: () => other.accountId,
    approvers: async () => (await newPerson(service, { accountId: other.accountId })).id,
    listing_id: () => hiddenListing(),
    requested_listing_id: () => hiddenListing(),
    offered_vehicle_id: () => other.vehicleId,
    thread_id: async () =>
      (
        await admin.rows<{ id: string }>('select thread_id as id from network_offers where account_id = $1', [other.accountId])
      )[0]!.id,
    assignee_id: () => newStaff(other),
    owner_id: () => newStaff(other),
    branch_id: () => newBranch(other),
    from_branch_id: () => newBranch(other),
    to_branch_id: () => newBranch(other),
    connector_id: async () => lastOf(await REQUESTS['GET import/connectors/{connector_id}']!(other)),
    customer_id: () => other.customerId,
    id: () => other.vehicleId,
    key: () => other.keyId,
    member_id: () => newStaff(other),
    note_ids: async () => lastOf(await REQUESTS['GET promissory-notes/{note_id}']!(other)),
    photo_ids: async () => lastOf(await REQUESTS['GET vehicles/{vehicle_id}/photos/{photo_id}']!(other)),
    secret_id: async () => newestSecret(other, (await newKey(other)).id),
    staff_id: () => newStaff(other),
    vehicle_id: () => other.vehicleId,
    video_ids: async () => lastOf(await REQUESTS['GET vehicles/{vehicle_id}/videos/{video_id}']!(other)),
    recipient_id: () => other.customerId,
    sale_id: async () => lastOf(await REQUESTS['GET sales/{sale_id}']!(other)),
    installment_id: () => installmentOfSale(other),
    installment_ids: () => installmentOfSale(other),
    guarantor_ids: async () => lastOf(await REQUESTS['GET guarantors/{guarantor_id}']!(other)),
    salesperson_id: () => newStaff(other),
    collected_by_id: () => newStaff(other),
    signs_document_id: async () => (await REQUESTS['GET documents/{document_id}']!(other)).path.split('/').at(-1)!,
    // Templates belong to no dealer: any unknown id.
    template_id: () => other.vehicleId,
    event_id: async () => lastOf(await REQUESTS['GET live-auctions/{event_id}']!(other)),
  };
  const auctions = async (): Promise<string[]> =>
    (await admin.rows<{ id: string }>('select id from network_auctions union all select id from live_events')).map(
      ({ id }) => id,
    );
  /** A published one is visible in the whole network. */
  const hiddenListing = async (): Promise<string> =>
    (
      await admin.rows<{ id: string }>(`select id from listings where account_id = $1 and status = 'Askıda'`, [other.accountId])
    )[0]!.id;
  /** Of the sale that its reads share. */
  const installmentOfSale = async ({ api, key }: World): Promise<string> =>
    (await api.call((await REQUESTS['GET installment-plans/{plan_id}/installments']!(other)).path, { key })).json.data[0].id;
  const lastOf = ({ path }: { readonly path: string }): string => path.slice(path.lastIndexOf('/') + 1);

  test('are absent beside the caller’s own: in a field, in a filter, below another record', async () => {
    // One after the other: some use the same connection.
    const theirs: Record<string, string> = {};
    for (const [name, make] of Object.entries(THEIRS)) theirs[name] = await make();
    const known = (name: string): string => theirs[name] ?? expect.fail(`no id of another dealer for ${name}: add it to THEIRS`);
    const before = await everythingOf(other);
    const problems: string[] = [];
    const owner = people.get('owner')!;
    await eachEndpoint(async (endpoint) => {
      if (!endpoint.allowed.has('owner') || endpoint.answers === null || endpoint.stream) return;
      const mineOf = async () => (endpoint.build === null ? { path: endpoint.path } : await endpoint.build(mine, owner));
      const compare = async (what: string, id: string, put: (request: PanelRequest, id: string) => PanelRequest) => {
        const input = put(await mineOf(), id);
        const answer = await send('owner', endpoint, input);
        const nothing = await send('owner', endpoint, put(await mineOf(), absentFor(id)));
        problems.push(...differences(endpoint, 'owner', answer, nothing).map((problem) => `${what}: ${problem}`));
        problems.push(...canaries(endpoint, 'owner', answer, input));
        return answer;
      };
      const places = recordPlaces(endpoint);
      if (places.length > 1) {
        const foreign = requests.get(endpoint)!.path.split('/');
        for (const place of places) {
          const answer = await compare(`place ${place}`, foreign[place]!, (request, id) => withIds(request, [place], () => id));
          if (answer.status !== 404) problems.push(describeReply(endpoint, 'owner', answer));
        }
      }
      const { body, form } = await mineOf();
      for (const { name } of idFields(endpoint.takes, body ?? form ?? {})) {
        const answer = await compare(`field ${name}`, known(name), (request, id) => {
          const twisted = idFields(endpoint.takes, request.body ?? request.form ?? {})
            .find((field) => field.name === name)!
            .put(id);
          return { ...request, ...(request.form === undefined ? { body: twisted } : { form: twisted }) } as PanelRequest;
        });
        // Bulk endpoints report each item separately.
        if (answer.status < 400 && !endpoint.path.includes('bulk-')) problems.push(describeReply(endpoint, 'owner', answer));
      }
      for (const [name] of Object.entries(endpoint.query).filter(([, { schema }]) => isIdSchema(schema)))
        await compare(`parameter ${name}`, known(name), ({ path }, id) => ({ path: `${path}?${name}=${id}` }));
    });
    expect(problems).toEqual([]);
    expect(await everythingOf(other)).toEqual(before);
  });
});
