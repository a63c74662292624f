// Production and two isolated sandboxes full of marked records, and everything that keys, people of the panel and administrators can ask
// for: nothing of one is in a reply to another.
import { expect } from 'vitest';
import { panelEndpoints } from '../../src/panel/index.ts';
import { openSession } from '../../src/postgres/database.ts';
import { openStream } from '../events/stream.ts';
import { type Browser, newPerson, signedIn } from '../panel/people.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import { setWorldClock } from '../support/worlds.ts';
import { aCar, dealerWith } from '../support/writer.ts';
import {
  cutOwn,
  type Dealer,
  dropWall,
  fillDealer,
  leaks,
  openedEndpoints,
  openWall,
  resources,
  type Seen,
  type Walk,
  walk,
} from './dealers.ts';
import type { Belts } from './isolation-walk.ts';

const DAY = 86_400_000;

/** A data set with marks, the key that reads it, and what was seen of it. */
export interface Place {
  readonly name: string;
  readonly dealer: Dealer;
  readonly key: string;
  readonly isWorld: boolean;
  /** The account of production that the key and the person belong to. */
  readonly owner: string;
  /** An owner of the account of production. */
  readonly person: Browser;
  readonly seen: Seen[];
}

export interface Places {
  readonly service: TestService;
  readonly places: readonly [production: Place, itsSandbox: Place, sandboxOfAnother: Place];
  readonly administrator: Seen[];
}

/** Production, its sandbox, and the sandbox of another account; the first two belong to one account. */
export async function askEverything({ rls, ownRows }: Belts, { walked = openedEndpoints }: Walk = {}): Promise<Places> {
  const service = await testService({ resources, env: { SANDBOX: 'isolated' }, database: ownRows ? {} : { watch: cutOwn } });
  await service.release('Aktif', ...openedEndpoints.map(({ id }) => id));
  const [live, mine, other] = [
    await fillDealer(service, 'Qalfaq', 7),
    await fillDealer(service, 'Wbetaw', 8),
    await fillDealer(service, 'Zgamaz', 9),
  ];
  const stranger = await service.account({ name: 'Başka Oto' });
  await asWorldOf(service, mine, live.accountId);
  await asWorldOf(service, other, stranger);
  await setWorldClock(service.database, mine.accountId, { offsetMs: 40 * DAY });
  // Administrators have one layer only, which goes with both.
  if (!rls) await (ownRows ? openWall : dropWall)(service.adminUrl);
  const places = [
    await openPlace(service, 'production', live, live.accountId, false),
    await openPlace(service, 'its sandbox', mine, live.accountId, true),
    await openPlace(service, 'the sandbox of another account', other, stranger, true),
  ] as const;
  for (const place of places) {
    // Also with the words and ids of each of the others.
    for (const one of places.filter((each) => each !== place)) await askAll(service, place, one.dealer, walked);
  }
  return { service, places, administrator: await askAsAdministrator(service, places) };
}

/** The account and its records move into a sandbox of the owner. */
async function asWorldOf({ adminUrl }: TestService, { accountId }: Dealer, owner: string): Promise<void> {
  const admin = await openSession(adminUrl);
  await admin.rows(
    `insert into worlds (id, owner_id, data, data_version, created_at, started_at, last_used_at, opened_at)
     values ($1, $2, 'sample', 1, now(), now(), now(), now())`,
    [accountId, owner],
  );
  await admin.rows('update accounts set world_id = id where id = $1', [accountId]);
  for (const table of ['network_auctions', 'live_events'])
    await admin.rows(`update ${table} set world_id = account_id where account_id = $1`, [accountId]);
  await admin.rows(`update data_sets set kind = 'sandbox' where id = $1`, [accountId]);
  await admin.close();
}

async function openPlace(service: TestService, name: string, dealer: Dealer, owner: string, isWorld: boolean): Promise<Place> {
  const endpoints = openedEndpoints.map(({ id }) => id);
  const { secret } = await service.key(owner, {
    name: `key of ${name}`,
    endpoints,
    environment: isWorld ? 'sandbox' : 'production',
  });
  const person = await signedIn(service, await newPerson(service, { accountId: owner, role: 'owner' }));
  return { name, dealer, key: secret, isWorld, owner, person, seen: [] };
}

const IN_LOG = /request-logs/;

async function askAll(service: TestService, place: Place, other: Dealer, walked: typeof openedEndpoints): Promise<void> {
  const { dealer, key, seen } = place;
  const keys = { ...dealer.keys, all: { id: dealer.keys.all.id, secret: key }, narrow: { id: '', secret: key } };
  // Refused keys of production would be those of an account that is not this one's.
  const mine: Dealer = {
    ...dealer,
    keys: {
      ...keys,
      sandbox: keys.narrow,
      revoked: keys.narrow,
      expired: keys.narrow,
      elsewhere: keys.narrow,
      limited: keys.narrow,
    },
  };
  const isFirst = seen.length === 0;
  // The second walk is about the ids of the other, in paths; words and pages were asked for in the first.
  const endpoints = isFirst ? walked : walked.filter(({ path }) => path.includes('{'));
  const found = await walk(service, mine, other, { isBrief: true, walked: endpoints });
  // The caller's own log has the paths of the first walk.
  seen.push(...found.filter(({ what }) => isFirst || !IN_LOG.test(what)));
  seen.push(...(await askControl(service, place)), ...(await askWritten(service, place, other)));
  seen.push(...(await askPanel(place, other)), ...(await askPublic(service, place)));
}

const seenOf = (what: string, answer: Answer): Seen => ({
  what,
  answer,
  text: `${answer.status}\n${[...answer.headers].map((pair) => pair.join(': ')).join('\n')}\n\n${answer.text}`.toLowerCase(),
});

/** The control of the sandbox: with a key of production it is refused. */
async function askControl({ call }: TestService, { key }: Place): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const path of ['', '/clock', '/rules', '/messages', '/messages?limit=100'])
    seen.push(seenOf(`GET /sandbox/v1${path}`, await call(`/sandbox/v1${path}`, { key })));
  return seen;
}

/** Writes with the other's ids, its external reference and the Idempotency-Key that the other used too; then the event stream. */
async function askWritten(service: TestService, { dealer, key }: Place, other: Dealer): Promise<Seen[]> {
  const seen: Seen[] = [];
  const mine = dealerWith(service, dealer.accountId, key);
  const stream = await openStream(service.service.url, key);
  const once = { 'idempotency-key': 'the same everywhere' };
  const write = async (path: string, body: unknown, headers = {}) => {
    seen.push(seenOf(`POST ${path}`, await mine.post(path, body, headers)));
  };
  await write('vehicles', aCar({ plate: `${dealer.tag} i`, external_ref: `${other.tag} ref 0` }), once);
  await write('vehicles', aCar({ plate: `${dealer.tag} i`, external_ref: `${other.tag} ref 0` }), once);
  await write('sales', { vehicle_id: other.vehicles[0], customer_id: other.customers[0], currency: 'STG', sale_price: '1.00' });
  await write('tasks', { title: 'x', vehicle_id: other.vehicles[0] });
  for (const id of [...other.vehicles, ...other.customers]) {
    seen.push(seenOf('PATCH vehicles/{vehicle_id}', await mine.patch(`vehicles/${id}`, { km: 1 })));
    seen.push(seenOf('DELETE customers/{customer_id}', await mine.delete(`customers/${id}`)));
  }
  const { json } = await mine.get('vehicles?limit=1');
  const etag = (await service.call(`vehicles/${json.data[0].id}`, { key })).headers.get('etag');
  const headers = { 'if-none-match': etag ?? '*' };
  seen.push(seenOf('GET with an ETag', await service.call(`vehicles/${other.vehicles[0]}`, { key, headers })));
  await stream.close();
  seen.push({ what: 'the event stream', answer: {} as Answer, text: stream.texts.join('\n').toLowerCase() });
  return seen;
}

/** Keys, votes, the person's session and the control of the sandbox: the same account has them in both environments. */
const OF_ACCOUNT = 'panel of the account';

/** Every list, figure, search, report and file of the panel, with the other's ids in the place of ids. */
async function askPanel({ person, isWorld, dealer }: Place, other: Dealer): Promise<Seen[]> {
  const seen: Seen[] = [];
  const prefix = isWorld ? 'sandbox/' : '';
  const reads = panelEndpoints.filter(
    ({ method, stream, path }) => method === 'GET' && stream === null && !/^(admin|logs)/.test(path),
  );
  const queries = ['', `?q=${encodeURIComponent(other.tag)}`, `?query=${encodeURIComponent(other.tag)}`, `?format=csv`];
  for (const { path, query, ofOwner } of reads) {
    const panel = ofOwner || path === 'session' ? OF_ACCOUNT : 'panel';
    for (const asked of queries) {
      const [name] = asked.slice(1).split('=');
      if (asked !== '' && !Object.hasOwn(query, name!)) continue;
      for (const id of path.includes('{') ? [...other.records.values()].slice(0, 6) : [''])
        seen.push(seenOf(`${panel} ${path}${asked}`, await person.api(`${prefix}${path.replace(/\{\w+\}/g, id)}${asked}`)));
    }
  }
  for (const { path } of openedEndpoints.filter(
    ({ method, body, path: each }) => method === 'GET' && body !== null && !each.includes('{'),
  ))
    seen.push(seenOf(`panel v1/${path}`, await person.api(`${prefix}v1/${path}`)));
  const own = seen.filter(({ text }) => text.includes(dealer.tag.toLowerCase()));
  expect(own.length).toBeGreaterThan(10);
  return seen;
}

/** Pages without a key. */
async function askPublic({ call, adminUrl }: TestService, { dealer }: Place): Promise<Seen[]> {
  const admin = await openSession(adminUrl);
  const [paper] = await admin.rows<{ code: string }>('select code from paper_verifications where account_id = $1', [
    dealer.accountId,
  ]);
  await admin.close();
  return [seenOf('the verification page', await call(`/verify/${paper!.code}`))];
}

/** Everything that an administrator can read, without looking into an account. */
async function askAsAdministrator(service: TestService, places: readonly Place[]): Promise<Seen[]> {
  const administrator = await signedIn(service, await newPerson(service, { admin: true }));
  const seen: Seen[] = [];
  for (const { path } of panelEndpoints.filter(
    ({ method, stream, path: each }) => method === 'GET' && stream === null && each.startsWith('admin'),
  ))
    for (const id of path.includes('{')
      ? places.flatMap(({ dealer }) => [dealer.accountId, ...[...dealer.records.values()].slice(0, 4)])
      : [''])
      seen.push(seenOf(`${path} ${id}`, await administrator.api(path.replace(/\{\w+\}/g, id))));
  return seen;
}

/** What was seen of another place, by the place that saw it. */
export function foreign({ places, administrator }: Places): string[] {
  const found: string[] = [];
  for (const place of places)
    for (const other of places.filter((one) => one !== place)) {
      const seen = place.owner === other.owner ? place.seen.filter(({ what }) => !what.startsWith(OF_ACCOUNT)) : place.seen;
      found.push(...leaks(seen, other.dealer).map((leak) => `${place.name} saw of ${other.name}: ${leak}`));
    }
  for (const { name, dealer } of places.slice(1))
    found.push(...leaks(administrator, dealer).map((leak) => `an administrator saw of ${name}: ${leak}`));
  return found;
}
