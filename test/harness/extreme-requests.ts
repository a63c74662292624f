// Every field and parameter of every endpoint, of the API and the panel, at the limits of its schema: each alone, then several at
// once. The service answers or refuses every request; it never fails.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { readConfig } from '../../src/config.ts';
import { panelEndpoints } from '../../src/panel/index.ts';
import { connect } from '../../src/postgres/connect.ts';
import { payloadOf, withPicture } from '../contract/payload.ts';
import { makeWorld, type World } from '../contract/requests.ts';
import { send } from '../contract/wire.ts';
import type { PanelRequest } from '../panel/endpoint-requests.ts';
import { builtEndpoints, isAdminEndpoint, type ListedEndpoint, listedEndpoints } from '../panel/panel-endpoint-list.ts';
import { type Browser, newPerson, signedIn, type TestPerson } from '../panel/people.ts';
import { storeRates } from '../support/books.ts';
import { migratedDataDir } from '../support/data-dir.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { extremesOf, type JsonSchema, type Place, placesOf, sampleOf } from './extremes.ts';
import type { Random } from './random.ts';

/** One value at one place, or several at once. */
type Case = readonly { readonly place: Place; readonly value: unknown }[];

export interface Tried {
  readonly violations: readonly string[];
  readonly sent: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/** `n` of all cases, chosen by the seed; if `n` exceeds their number, the rest set several fields of an endpoint at once. */
export async function tryExtremes(random: Random, n: number): Promise<Tried> {
  const dataDir = await migratedDataDir('extremes');
  const connected = await connect(readConfig({ DATA_DIR: dataDir, PORT: '0' }));
  try {
    const api = await testService({ shared: { ...connected, close: async () => {} } });
    try {
      return await tryAll(api, chosenCases(random, n));
    } finally {
      await api.close();
    }
  } finally {
    await connected.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const askedEndpoints = listedEndpoints.filter(({ answers, stream }) => answers !== null && !stream);

/** A parameter is a field named `?limit`. */
function allPlaces({ query, takes }: ListedEndpoint): Place[] {
  const params = Object.entries(query).map(([name, { schema }]): Place => {
    return { name: `?${name}`, schema: schema as JsonSchema, put: (body) => body };
  });
  return [...params, ...placesOf(takes)];
}

function chosenCases(random: Random, n: number): Map<ListedEndpoint, Case[]> {
  const places = new Map(askedEndpoints.map((endpoint) => [endpoint, allPlaces(endpoint)]));
  const single = askedEndpoints.flatMap((endpoint) =>
    places.get(endpoint)!.flatMap((place) => extremesOf(place.schema).map((value) => [endpoint, [{ place, value }]] as const)),
  );
  const chosen: (readonly [ListedEndpoint, Case])[] = random.shuffled(single).slice(0, n);
  const several = askedEndpoints.filter((endpoint) => places.get(endpoint)!.length > 1);
  while (chosen.length < n) {
    const endpoint = random.pick(several);
    const some = random.shuffled(places.get(endpoint)!).slice(0, 2 + random.below(4));
    chosen.push([endpoint, some.map((place) => ({ place, value: random.pick(extremesOf(place.schema)) }))]);
  }
  const byEndpoint = Map.groupBy(chosen, ([endpoint]) => endpoint);
  return new Map([...byEndpoint].map(([endpoint, cases]) => [endpoint, cases.map(([, one]) => one)]));
}

interface Scene {
  readonly api: TestService;
  readonly violations: string[];
  readonly statuses: Record<string, number>;
  sent: number;
}

/** Endpoints of one subject in sequence: some records are the dealer's only one of their kind. */
async function tryAll(api: TestService, cases: Map<ListedEndpoint, Case[]>): Promise<Tried> {
  await api.release('Aktif', ...builtEndpoints.map(({ id }) => id));
  await storeRates(api, 'KKTCMB', new Date(api.clock.now().getTime() - 86_400_000).toISOString().slice(0, 10));
  const scene: Scene = { api, violations: [], statuses: {}, sent: 0 };
  const subjects = [...Map.groupBy(cases.keys(), ({ path }) => path.split('/')[0]!).values()];
  const lane = async () => {
    for (let endpoints = subjects.shift(); endpoints !== undefined; endpoints = subjects.shift())
      for (const endpoint of endpoints) await tryEndpoint(scene, endpoint, cases.get(endpoint)!);
  };
  await Promise.all(Array.from({ length: 3 }, lane));
  return scene;
}

const MAX_SHOWN = 40;
/** Requests per dealer, so that lists do not grow too long. */
const PER_DEALER = 100;

/** A dealer, and a signed-in user of the dealer or of the platform. */
interface Asker {
  readonly world: World;
  readonly person: TestPerson;
  readonly browser: Browser | null;
}

async function newAsker(api: TestService, endpoint: ListedEndpoint): Promise<Asker> {
  const ids = builtEndpoints.map(({ id }) => id);
  const world = await makeWorld(api, ids, null);
  const person = await newPerson(api, isAdminEndpoint(endpoint) ? { admin: true } : { accountId: world.accountId });
  return { world, person, browser: endpoint.prefix === '' ? await signedIn(api, person) : null };
}

async function tryEndpoint(scene: Scene, endpoint: ListedEndpoint, cases: readonly Case[]): Promise<void> {
  let asker: Asker | null = null;
  let request: PanelRequest | null = null;
  for (const [place, one] of cases.entries()) {
    if (place % PER_DEALER === 0) [asker, request] = [null, null];
    asker ??= await newAsker(scene.api, endpoint);
    request ??= await validRequest(endpoint, asker.world, asker.person);
    const changed = withCase(request, one);
    let answer = await ask(endpoint, asker, changed);
    // A busy machine may refuse once; an endpoint that cannot answer refuses again.
    if (answer.status === 503) answer = await ask(endpoint, asker, changed);
    scene.sent += 1;
    scene.statuses[answer.status] = (scene.statuses[answer.status] ?? 0) + 1;
    if (answer.status >= 500 && answer.status !== 501 && scene.violations.length < MAX_SHOWN)
      scene.violations.push(`status ${answer.status}: ${endpoint.id} ${wordsOf(one)} → ${answer.text.slice(0, 200)}`);
    // Recreates what a write has used up. Administrators and settings may change the dealer, and a session may have ended.
    if (endpoint.method !== 'GET' && answer.status < 300) request = null;
    if (answer.status === 401 || (request === null && isChangingDealer(endpoint))) asker = null;
  }
}

const isChangingDealer = (endpoint: ListedEndpoint): boolean =>
  isAdminEndpoint(endpoint) || /^(me|session|members)/.test(endpoint.path);

const wordsOf = (one: Case): string =>
  one.map(({ place, value }) => `${place.name}=${JSON.stringify(value)?.slice(0, 60)}`).join(' ');

async function validRequest(endpoint: ListedEndpoint, world: World, person: TestPerson): Promise<PanelRequest> {
  if (endpoint.build !== null) return endpoint.build(world, person);
  const takes = panelEndpoints.find(({ id }) => id === endpoint.id)!.bodySchema ?? {};
  const required = Object.entries(takes).filter(([, field]) => field.required);
  return { path: endpoint.path, body: Object.fromEntries(required.map(([name, field]) => [name, sampleOf(field.schema)])) };
}

function withCase(request: PanelRequest, one: Case): PanelRequest {
  const [path, text = ''] = request.path.split('?') as [string, string?];
  const query = new URLSearchParams(text);
  let body: unknown = request.form ?? request.body ?? {};
  for (const { place, value } of one)
    if (place.name.startsWith('?')) query.set(place.name.slice(1), String(value));
    else body = place.put(body, value);
  const pathAndQuery = query.size === 0 ? path : `${path}?${query}`;
  if (request.form === undefined) return { ...request, path: pathAndQuery, body: body as Record<string, unknown> };
  const texts = Object.entries(body as object).map(([name, value]) => [name, String(value)]);
  return { ...request, path: pathAndQuery, form: Object.fromEntries(texts) };
}

async function ask(endpoint: ListedEndpoint, { world, browser }: Asker, request: PanelRequest): Promise<Answer> {
  const isRead = endpoint.method === 'GET';
  const { headers, body } = payloadOf(request.form === undefined ? { body: request.body } : { form: request.form });
  const sent = { ...(isRead ? {} : { ...headers, 'idempotency-key': randomUUID() }) };
  if (browser !== null) {
    const raw = request.isPicture ? withPicture(body!) : body!;
    return browser.api(request.path, { method: endpoint.method, headers: sent, ...(isRead ? {} : { raw }) });
  }
  const target = `/api/v1/${request.path}`;
  return send(world.api.service.url, {
    method: endpoint.method,
    target,
    key: world.key,
    headers: sent,
    ...(isRead ? {} : { body: body! }),
  });
}
