// Papers of sales, generated in parallel, each until it is acknowledged, while the drawing process and the service are killed
// with -9 in turn. Every document exists once, its file complete and with the acknowledged hash, its code leads to that hash, and
// after a sweep the store holds nothing without a record. `--plant` acknowledges a file before it is stored.
//
//   node test/harness/papers.ts --seed 1 --n 1000 [--plant]
import { createHash } from 'node:crypto';
import { readdir, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Started } from '../start/process.ts';
import { end } from '../support/child-processes.ts';
import { type Answered, aCar, ask, askUntilAnswered, dataOf, type HarnessRequest } from './ask.ts';
import { createRandom, type Random } from './random.ts';
import { type Report, readArguments, report } from './report.ts';
import { type Dealer, openWorld, type World } from './world.ts';

const SENDERS = 16;
const MAX_SHOWN = 20;
/** The papers of a sale on installments, in any country. */
const CODES = ['kvkk_aydinlatma', 'teslim_tutanagi', 'odeme_plani'] as const;

interface Acknowledged {
  readonly sale: string;
  readonly sha256: string;
}

interface Run {
  readonly world: World;
  readonly dealer: Dealer;
  readonly random: Random;
  readonly plant: boolean;
  readonly templates: string[];
  readonly sales: string[];
  /** Acknowledged, by document id. */
  readonly papers: Map<string, Acknowledged>;
  readonly violations: string[];
  readonly statuses: Record<string, number>;
  service: Started | null;
}

export async function papers(seed: number, n: number, plant: boolean): Promise<Report> {
  const world = await openWorld({ dealers: 1, postgres: 'address' });
  const run: Run = {
    world,
    dealer: world.dealers[0]!,
    random: createRandom(seed),
    plant,
    templates: [],
    sales: [],
    papers: new Map(),
    violations: [],
    statuses: {},
    service: null,
  };
  const kills = Math.max(2, Math.round(n / 50));
  try {
    await startService(run);
    await prepare(run, n);
    const numbers = Array.from({ length: n }, (_, number) => number).values();
    const senders = Promise.all(Array.from({ length: SENDERS }, () => generateAll(run, numbers)));
    const killed = await killAlong(run, n, kills);
    await senders;
    const left = await settle(run);
    const problems = [...(await reconcile(run)), ...(await orphans(run))];
    const figure = { acknowledged: run.papers.size, ...killed, left, statuses: run.statuses };
    return { name: 'papers', seed, n, violations: [...run.violations, ...problems].slice(0, MAX_SHOWN), figure };
  } finally {
    await world.close();
  }
}

async function startService(run: Run): Promise<void> {
  run.service = await run.world.serve({ plant: run.plant ? 'late-files' : undefined });
}

const apiOf = (run: Run): string => run.service!.ready.api;

/** The drawing process and the service in turn, spread over the run, each at a random moment. */
async function killAlong(run: Run, n: number, kills: number): Promise<{ drawing_killed: number; service_killed: number }> {
  const killed = { drawing_killed: 0, service_killed: 0 };
  for (let kill = 1; kill <= kills; kill += 1) {
    while (run.papers.size < (n * kill) / (kills + 1) && run.violations.length < MAX_SHOWN) await wait(20);
    await wait(run.random.below(300));
    if (kill % 2 === 1) {
      for (const pid of await drawingProcesses(run.service!.child.pid!)) {
        process.kill(pid, 'SIGKILL');
        killed.drawing_killed += 1;
      }
    } else {
      await end(run.service!.child, 'SIGKILL');
      killed.service_killed += 1;
      await startService(run);
    }
  }
  return killed;
}

/** The children of this service that run the program of papers. */
async function drawingProcesses(parent: number): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const [line, status] = await Promise.all(
      ['cmdline', 'status'].map((file) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')),
    );
    if (line!.includes('paper-worker') && new RegExp(`^PPid:\\t${parent}$`, 'm').test(status!)) found.push(Number(name));
  }
  return found;
}

const post = (run: Run, path: string, body: unknown, idempotencyKey: string): Promise<Answered | null> => {
  const request: HarnessRequest = { method: 'POST', path, key: run.dealer.key, idempotencyKey, body };
  return askUntilAnswered(
    () => apiOf(run),
    request,
    (status) => {
      run.statuses[status] = (run.statuses[status] ?? 0) + 1;
    },
  );
};

async function made(run: Run, path: string, body: unknown, key: string): Promise<string> {
  const answer = await post(run, path, body, key);
  if (answer?.status !== 201) throw new Error(`${path} was answered ${answer?.text}`);
  return dataOf(answer).id;
}

/** Enough sales, each with room for one paper of every code. */
async function prepare(run: Run, n: number): Promise<void> {
  const listed = await ask(apiOf(run), { method: 'GET', path: 'document-templates?limit=100', key: run.dealer.key });
  const templates: { id: string; code: string }[] = dataOf(listed);
  for (const code of CODES) run.templates.push(templates.find((one) => one.code === code)!.id);
  const person = { first_name: 'Ayşe', last_name: 'Yılmaz', phone: '+905338765432' };
  const customer_id = await made(run, 'customers', person, 'customer');
  for (let number = 0; number * CODES.length < n; number += 1) {
    const price = { price: '540000.00', currency: 'TL' };
    const vehicle_id = await made(run, 'vehicles', aCar(`P ${number}`, price), `car-${number}`);
    const terms = { sale_price: '540000.00', currency: 'TL', installment_count: 12, first_due_date: dayAhead(30) };
    run.sales.push(await made(run, 'sales', { vehicle_id, customer_id, ...terms }, `sale-${number}`));
  }
}

const dayAhead = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

async function generateAll(run: Run, numbers: Iterator<number>): Promise<void> {
  for (let next = numbers.next(); !next.done; next = numbers.next()) {
    const number = next.value;
    const sale = run.sales[Math.floor(number / CODES.length)]!;
    const template_id = run.templates[number % CODES.length]!;
    const answer = await post(run, `sales/${sale}/sale-documents/generate`, { template_id }, `paper-${number}`);
    if (answer?.status !== 201) {
      run.violations.push(`paper ${number} was answered ${answer?.text.slice(0, 300)}`);
      continue;
    }
    const { id, file } = dataOf(answer);
    run.papers.set(id, { sale, sha256: file.sha256 });
    // An acknowledged paper exists at once; a service that is killed acknowledges nothing.
    const got = await fetched(run, file.url).catch(() => null);
    if (got !== null && got !== '503' && got !== file.sha256) run.violations.push(`${id} was served as ${got}`);
  }
}

/** The hash of a file as it is served now, or the status instead. The link's port may be from before a kill. */
async function fetched(run: Run, link: string): Promise<string> {
  const response = await fetch(new URL(new URL(link).pathname, apiOf(run)));
  const content = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) return String(response.status);
  const isWhole = content.subarray(0, 5).toString() === '%PDF-' && content.subarray(-6).toString().trim() === '%%EOF';
  return isWhole ? createHash('sha256').update(content).digest('hex') : 'half a PDF';
}

/** Makes everything unfinished old and sweeps it as a worker does. Returns what there was. */
async function settle({ world }: Run): Promise<Record<string, number>> {
  const states = await world.query<{ state: string; count: bigint }>(
    `select state, count(*) from stored_files where state <> 'kept' group by state`,
  );
  await world.query(`update stored_files set state_at = state_at - interval '1 day' where state <> 'kept'`);
  const incoming = join(world.dataDir, 'files', 'incoming');
  const broken = await readdir(incoming);
  for (const name of broken) await utimes(join(incoming, name), 0, 0);
  await world.command('worker', 'drain');
  return { ...Object.fromEntries(states.map(({ state, count }) => [state, Number(count)])), drawings: broken.length };
}

interface Listed {
  readonly id: string;
  readonly version: number;
  readonly status: string;
  readonly file: { readonly url: string; readonly sha256: string };
}

/** Compares what was acknowledged with what is listed, served and verified by its code. */
async function reconcile(run: Run): Promise<string[]> {
  const problems: string[] = [];
  for (const sale of run.sales) {
    const path = `sales/${sale}/sale-documents?limit=100`;
    const listed: Listed[] = dataOf(await ask(apiOf(run), { method: 'GET', path, key: run.dealer.key }));
    const due = [...run.papers].filter(([, paper]) => paper.sale === sale).map(([id]) => id);
    for (const id of due) if (!listed.some((one) => one.id === id)) problems.push(`${id} was acknowledged and is lost`);
    for (const { id, version, status, file } of listed) {
      const paper = run.papers.get(id);
      if (paper === undefined || version !== 1 || status !== 'Taslak') problems.push(`${id} is there, ${status} ${version}`);
      if (paper?.sha256 !== file.sha256) problems.push(`${id} has another hash than acknowledged`);
      const got = await fetched(run, file.url);
      if (got !== file.sha256) problems.push(`${id} is served as ${got}`);
    }
  }
  const unproved = await run.world.query<{ id: string }>(
    `select d.id from documents d left join paper_verifications v on v.account_id = d.account_id and v.record_id = d.id
      where v.sha256 is distinct from d.sha256 or v.voided_at is not null`,
  );
  const codes = await run.world.query(`select 1 from paper_verifications`);
  if (codes.length !== run.papers.size) problems.push(`${codes.length} codes lead to ${run.papers.size} papers`);
  return [...problems, ...unproved.map(({ id }) => `the code of ${id} does not lead to its file`)];
}

/** Objects without a row, rows without an object or a record, and leftovers of drawing. */
async function orphans({ world }: Run): Promise<string[]> {
  const folder = join(world.dataDir, 'files');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const lying = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const rows = await world.query<{ name: string; state: string; size_bytes: number; used: boolean }>(
    `select name, state, size_bytes, exists (select from documents d
      where d.account_id = f.account_id and d.file_id = f.id) as used from stored_files f`,
  );
  const known = new Set(rows.map(({ name }) => name));
  const problems = lying.filter((name) => !known.has(name)).map((name) => `${name} is in the store and no row names it`);
  for (const { name, state, size_bytes, used } of rows) {
    if (state !== 'kept' || !used) problems.push(`the row of ${name} is ${state}, ${used ? '' : 'not '}used by a document`);
    const found = await stat(join(folder, name)).catch(() => null);
    if (found?.size !== size_bytes) problems.push(`${name} should have ${size_bytes} bytes and has ${found?.size ?? 'none'}`);
  }
  return problems;
}

if (import.meta.main) {
  const { seed, n, plant } = readArguments({ n: 1000 });
  report(await papers(seed, n, plant));
}
