// Links that were never issued: guessed, altered, spelled differently, expired, of another purpose or with a guessed session,
// sent to the endpoints of signing, customers' pages, files and verification. Each comes from its own network, so that no rate limit hides the
// reply. None may open anything, all wrong links get the same reply, and no record changes. `--plant` parses links loosely.
//
//   node test/harness/links.ts --seed 1 --n 100000 [--plant]
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { newPageToken } from '../../src/domain/customer-page/page-link.ts';
import { signLink } from '../../src/domain/files/file-links.ts';
import { deriveSecrets } from '../../src/domain/vault/secrets.ts';
import type { Started } from '../start/process.ts';
import { end } from '../support/child-processes.ts';
import { deadline } from '../support/patience.ts';
import { alter, type Known } from './altered-links.ts';
import { aCar, ask, dataOf } from './ask.ts';
import { createRandom, type Random } from './random.ts';
import { type Report, readArguments, report } from './report.ts';
import { type Dealer, openWorld, SECRET, type World } from './world.ts';

const SENDERS = 24;
const MAX_SHOWN = 20;
/** Of the attempts, those with a real link used for the wrong purpose. */
const REAL = 0.1;
/** Of the others: guessed addresses of showrooms. */
const SHOWROOMS = 0.1;
const NAME = 'Ayşe Yılmaz';
const ACTS = ['', '/belge', '/kod', '/ac', '/karar'] as const;
const PAGE_ACTS = ['', '/kod', '/ac', '/imza', '/makbuz'] as const;
/** Of a customer's page. */
const PAGE_STATES = ['live', 'revoked', 'over'] as const;

interface Paper {
  readonly id: string;
  readonly dealer: Dealer;
  /** Ids of its recipients, as encoded in the links. */
  readonly tokens: readonly string[];
  readonly file: string;
  readonly fileId: string;
  readonly code: string;
}

interface Page {
  readonly state: (typeof PAGE_STATES)[number];
  readonly token: string;
}

interface Run {
  readonly world: World;
  readonly random: Random;
  readonly papers: Paper[];
  readonly pages: Page[];
  readonly violations: string[];
  readonly ways: Record<string, number>;
  readonly statuses: Record<string, number>;
  /** The reply of each endpoint to a wrong link. */
  readonly replies: Map<string, string>;
  service: Started | null;
}

interface Try {
  readonly way: string;
  readonly path: string;
  readonly form?: string;
  readonly cookie?: string;
  readonly isFine: (got: Got) => boolean;
}

interface Got {
  readonly status: number;
  readonly text: string;
}

export async function links(seed: number, n: number, plant: boolean): Promise<Report> {
  const world = await openWorld({ dealers: 2, postgres: 'address' });
  const run: Run = {
    world,
    random: createRandom(seed),
    papers: [],
    pages: [],
    violations: [],
    ways: {},
    statuses: {},
    replies: new Map(),
    service: null,
  };
  const serve = async () => {
    run.service = await world.serve({ plant: plant ? 'loose-links' : undefined, env: { TRUST_PROXY: '127.0.0.1' } });
  };
  try {
    await serve();
    await prepare(run);
    // A service that starts processes what ended before.
    await end(run.service!.child, 'SIGTERM');
    await serve();
    const before = await traces(world);
    await realOnesOpen(run, 'before');
    const opened = await traces(world);
    const known = knownOf(run);
    const numbers = Array.from({ length: n }, (_, number) => number).values();
    await Promise.all(Array.from({ length: SENDERS }, () => tryAll(run, known, numbers)));
    if (opened !== (await traces(world))) run.violations.push('the records know of it');
    if (opened === before) run.violations.push('opening the real links changed no record, so the check would prove nothing');
    await realOnesOpen(run, 'afterwards');
    const limited = await fromOneNetwork(run, known);
    const figure = { ways: run.ways, statuses: run.statuses, refused_of_one_network: limited };
    return { name: 'links', seed, n, violations: run.violations.slice(0, MAX_SHOWN), figure };
  } finally {
    await world.close();
  }
}

const baseOf = (run: Run): string => new URL(run.service!.ready.api).origin;

/** For each dealer three papers that were sent, one voided, and one expired; and links to pages of customers. */
async function prepare(run: Run): Promise<void> {
  for (const dealer of run.world.dealers) {
    const post = async (path: string, body: unknown) => {
      const request = { method: 'POST', path, key: dealer.key, idempotencyKey: randomUUID(), body } as const;
      const answer = await ask(run.service!.ready.api, request);
      if (answer.status > 201) throw new Error(`${path} was answered ${answer.text}`);
      return dataOf(answer);
    };
    const [first_name, last_name] = NAME.split(' ');
    const { id: customer_id } = await post('customers', { first_name, last_name, phone: '+905338765432' });
    const listed = await ask(run.service!.ready.api, { method: 'GET', path: 'document-templates?limit=100', key: dealer.key });
    const { id: template_id } = dataOf(listed).find(({ code }: { code: string }) => code === 'teslim_tutanagi');
    for (const [place, state] of PAGE_STATES.entries()) {
      const { id } = await post('customers', { first_name, last_name, phone: `+90533876550${place}` });
      await addPage(run, dealer, id, state);
    }
    for (const state of ['out', 'out', 'out', 'void', 'over']) {
      const number = run.papers.length;
      const { id: vehicle_id } = await post('vehicles', aCar(`L ${number}`, { price: '540000.00', currency: 'TL' }));
      const terms = { sale_price: '540000.00', currency: 'TL', installment_count: 12 };
      const sale = await post('sales', { vehicle_id, customer_id, ...terms });
      const { id, file } = await post(`sales/${sale.id}/sale-documents/generate`, { template_id });
      const { signing_links } = await post(`sale-documents/${id}/send`, { channel: 'Bağlantı' });
      if (state === 'void') await post(`sale-documents/${id}/void`, { reason: 'vazgeçildi' });
      if (state === 'over') {
        await run.world.query(`update documents set expires_at = now() - interval '1 minute' where id = $1`, [id]);
        await run.world.query(`update data_sets set next_due_at = now() - interval '1 minute' where id = $1`, [dealer.accountId]);
      }
      const [kept] = await run.world.query<{ code: string; file_id: string }>(
        `select code, file_id from documents d join paper_verifications v on v.record_id = d.id where d.id = $1`,
        [id],
      );
      const tokens = signing_links.map(({ url }: { url: string }) => url.split('/').at(-1));
      run.papers.push({ id, dealer, tokens, file: file.url.split('/').at(-1), fileId: kept!.file_id, code: kept!.code });
    }
  }
}

/** Each of a customer of its own, because a customer has one live link at most. */
async function addPage({ world, pages }: Run, { accountId }: Dealer, customerId: string, state: Page['state']): Promise<void> {
  const { path, hash } = newPageToken(accountId);
  await world.query(
    `insert into customer_links (account_id, id, customer_id, token_hash, channel, created_by, created_at, expires_at, revoked_at)
      values ($1, $2, $3, $4, 'Bağlantı', 'harness', now() - interval '89 days', now() + $5::interval, $6)`,
    [
      accountId,
      randomUUID(),
      customerId,
      hash,
      state === 'over' ? '-1 minute' : '1 day',
      state === 'revoked' ? new Date() : null,
    ],
  );
  pages.push({ state, token: path.slice('/m/'.length) });
}

const isOut = (place: number): boolean => place % 5 < 3;

const knownOf = ({ papers, pages }: Run): Known => ({
  tokens: {
    sign: papers.flatMap(({ tokens }) => tokens),
    files: papers.map(({ file }) => file),
    dogrula: papers.map(({ code }) => code),
    m: pages.map(({ token }) => token),
  },
  ids: papers.flatMap(({ id, fileId, dealer }) => [id, fileId, dealer.accountId]),
});

/** Everything that changes when a link opens something. */
async function traces(world: World): Promise<string> {
  const [found] = await world.query<{ traces: string }>(`select concat_ws(' ', (select count(*) from document_events),
    (select count(*) from audit_log), (select string_agg(id || status, ' ' order by id) from documents),
    (select string_agg(concat(id, status), ' ' order by id) from document_recipients),
    (select string_agg(concat(id, session_hash, expires_at, tries), ' ' order by id) from signing_codes),
    (select count(*) from customer_page_codes), (select string_agg(concat(id, revoked_at), ' ' order by id) from customer_links)) as traces`);
  return found!.traces;
}

async function tryAll(run: Run, known: Known, numbers: Iterator<number>): Promise<void> {
  for (let next = numbers.next(); !next.done && run.violations.length < MAX_SHOWN; next = numbers.next()) {
    const kind = run.random.chance(REAL) ? notForThis : run.random.chance(SHOWROOMS) ? guessedShowroom : wrong;
    const tried = kind(run, known);
    const network = `2001:db8:${(next.value >> 16).toString(16)}:${(next.value & 0xffff).toString(16)}::7`;
    const got = await sendUntilAnswered(run, tried, network);
    run.ways[tried.way] = (run.ways[tried.way] ?? 0) + 1;
    run.statuses[got.status] = (run.statuses[got.status] ?? 0) + 1;
    if (!tried.isFine(got) || /%PDF|name="code"|name="decision"/.test(got.text) || got.text.includes(NAME))
      run.violations.push(`${tried.way}: ${tried.path} was answered ${got.status} ${got.text.slice(0, 200)}`);
  }
}

const SLUG_LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789-'];

/** No dealer of this service has a showroom, so every address gets the reply of an unknown one. */
function guessedShowroom(run: Run): Try {
  const { random } = run;
  const slug = Array.from({ length: 1 + random.below(45) }, () => random.pick(SLUG_LETTERS)).join('');
  const id = random.pick(run.papers).id;
  const path = `/g/${slug}${random.pick(['', `/${id}`, `/foto/${id}`, '/logo', '/sitemap.xml', `/${id}/whatsapp`, '/..%2f', '/%00'])}`;
  const isFine = ({ status, text }: Got) => {
    if (!run.replies.has('g')) run.replies.set('g', text);
    return status === 404 && run.replies.get('g') === text;
  };
  return { way: 'a guessed showroom', path, isFine };
}

const FORM = new URLSearchParams({ code: '000000', decision: 'sign', sure: 'yes', typed: NAME }).toString();

function signing(run: Run, token: string): Pick<Try, 'path' | 'form'> {
  const act = run.random.pick(ACTS);
  return { path: `/sign/${token}${act}`, ...(act === '' || act === '/belge' ? {} : { form: FORM }) };
}

function customerPage(run: Run, token: string): Pick<Try, 'path' | 'form'> {
  const act = run.random.pick(PAGE_ACTS);
  const below = act === '/makbuz' ? `/${run.random.pick(run.papers).id}` : '';
  return { path: `/m/${token}${act}${below}`, ...(act === '' || act === '/makbuz' ? {} : { form: FORM }) };
}

/** The same reply as for every other wrong link of the endpoint, byte for byte. */
function wrong(run: Run, known: Known): Try {
  const { kind, way, token } = alter(run.random, known);
  const isFine = ({ status, text }: Got) => {
    const page = text.replace(/"meta":\{[^}]*\}/, '');
    if (!run.replies.has(kind)) run.replies.set(kind, page);
    return status === 404 && run.replies.get(kind) === page;
  };
  const sent = kind === 'sign' ? signing(run, token) : kind === 'm' ? customerPage(run, token) : { path: `/${kind}/${token}` };
  return { way, isFine, ...sent };
}

const cookie = (random: Random, name = '__Secure-sign'): string => `${name}=${random.bytes(32).toString('base64url')}`;

/** A revoked or expired link gets the reply of a wrong one; a guessed session opens nothing of a live one. */
function pageNotForThis(run: Run): Try {
  const { random } = run;
  const { state, token } = random.pick(run.pages);
  const guessed = { cookie: cookie(random, '__Secure-page') };
  if (state === 'live') {
    const act = random.pick([`/makbuz/${random.pick(run.papers).id}`, '/imza']);
    const isFine = ({ status }: Got) => status === 303;
    return {
      way: 'a guessed session of a page',
      path: `/m/${token}${act}`,
      isFine,
      ...guessed,
      ...(act === '/imza' ? { form: FORM } : {}),
    };
  }
  const isFine = ({ status, text }: Got) => {
    if (!run.replies.has('m')) run.replies.set('m', text);
    return status === 404 && run.replies.get('m') === text;
  };
  return { way: `a page that is ${state}`, isFine, ...customerPage(run, token), ...guessed };
}

/** A real link that has expired, or that no code has opened, or that another secret signed. */
function notForThis(run: Run): Try {
  const { random, papers } = run;
  if (random.chance(0.2)) return pageNotForThis(run);
  const place = random.below(papers.length);
  const { dealer, tokens, fileId } = papers[place]!;
  if (random.chance(0.4)) {
    const isOver = random.chance(0.5);
    const secret = isOver ? deriveSecrets(SECRET).files : deriveSecrets(`${SECRET}${random.below(1000)}`).files;
    const made = new Date(Date.now() - (isOver ? 900_000 + random.below(900_000) : 0));
    const path = new URL(signLink(secret, 'http://x', dealer.accountId, fileId, made).url).pathname;
    const isFine = ({ status }: Got) => status === (isOver ? 403 : 404);
    return { way: isOver ? "a file's link that is over" : 'signed by another', path, isFine };
  }
  if (!isOut(place))
    return {
      way: 'a document that is over',
      ...signing(run, random.pick(tokens)),
      cookie: cookie(random),
      isFine: ({ status, text }) => status === 303 || (status === 200 && !text.includes('/belge')),
    };
  const act = random.pick(['/belge', '/karar']);
  const path = `/sign/${random.pick(tokens)}${act}`;
  const isFine = ({ status }: Got) => status === 303;
  return { way: 'a guessed session', path, ...(act === '/karar' ? { form: FORM } : {}), cookie: cookie(random), isFine };
}

const agent = new Agent({ keepAlive: true, maxSockets: SENDERS });

/** An overloaded machine returns 503, which is not a reply to a link. */
async function sendUntilAnswered(run: Run, tried: Try, network: string): Promise<Got> {
  for (const isOver = deadline(300_000); ; await wait(2500)) {
    const got = await send(run, tried, network);
    if (got.status !== 503 || isOver()) return got;
    run.statuses.again = (run.statuses.again ?? 0) + 1;
  }
}

/** The raw path: what a library would normalize is part of the test. */
function send(run: Run, { path, form, cookie }: Pick<Try, 'path' | 'form' | 'cookie'>, network: string): Promise<Got> {
  const headers = {
    'x-forwarded-for': network,
    'sec-fetch-site': 'same-origin',
    'accept-language': 'tr',
    ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded', 'content-length': form.length }),
    ...(cookie === undefined ? {} : { cookie }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(baseOf(run), { agent, path, method: form === undefined ? 'GET' : 'POST', headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => resolve({ status: incoming.statusCode!, text: Buffer.concat(chunks).toString('utf8') }));
    });
    outgoing.on('error', reject);
    outgoing.end(form);
  });
}

/** Otherwise wrong links that open nothing would prove nothing. */
async function realOnesOpen(run: Run, when: string): Promise<void> {
  for (const [place, { id, dealer, tokens, code }] of run.papers.entries()) {
    const got = async (path: string) => send(run, { path }, `2001:db9::${place}`);
    const page = await got(`/sign/${tokens[0]}`);
    if (page.text.includes('Kod iste') !== isOut(place)) run.violations.push(`${when} ${id} shows ${page.text.slice(0, 200)}`);
    if (!(await got(`/dogrula/${code}`)).text.includes('SHA-256')) run.violations.push(`${when} the code of ${id} leads nowhere`);
    const shown = await ask(run.service!.ready.api, { method: 'GET', path: `documents/${id}`, key: dealer.key });
    const file = await got(new URL(dataOf(shown).file.url).pathname);
    if (file.status !== 200 || !file.text.startsWith('%PDF')) run.violations.push(`${when} the file of ${id} is ${file.status}`);
  }
  for (const { state, token } of run.pages) {
    const page = await send(run, { path: `/m/${token}` }, `2001:db9::${token.slice(-2).charCodeAt(0)}`);
    if (page.text.includes('Kod iste') !== (state === 'live')) run.violations.push(`${when} a ${state} page is ${page.status}`);
  }
}

/** How many of two hundred are limited, from one network and from many. */
async function fromOneNetwork(run: Run, known: Known): Promise<number> {
  let refused = 0;
  for (let n = 0; n < 200; n += 1) {
    const { token } = alter(run.random, known);
    if ((await send(run, { path: `/sign/${token}` }, '2001:dba::1')).status === 429) refused += 1;
  }
  if (refused < 50) run.violations.push(`one network was refused ${refused} times of 200`);
  return refused;
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 100_000 });
  report(await links(seed, n, plant));
}
