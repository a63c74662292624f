// A dealer that does the worst it may, in a separate process, so that the measured dealer shares only the service with it. The
// parent forks it, sends one Greed, and receives a Greedy when it sends another message.
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Answered, aCar, ask, dataOf, type HarnessRequest } from './ask.ts';
import { PANEL_AT_ONCE, PANEL_KINDS, PANEL_WORK, type PanelAccess } from './fairness-panel.ts';

const API_KINDS = ['bulk', 'writes', 'exports', 'slow-reads', 'imports', 'uploads', 'sandboxes'] as const;
export const GREEDY_KINDS = [...API_KINDS, ...PANEL_KINDS] as const;
export type GreedyKind = (typeof GREEDY_KINDS)[number];

export interface Greed {
  readonly api: string;
  readonly key: string;
  /** Of the same account's sandbox. */
  readonly sandboxKey: string;
  /** Prefix of its plates, unique for every start. */
  readonly prefix: string;
  readonly kinds: readonly GreedyKind[];
  /** Exports and slow reads cover the stock in this city; vehicles added later are elsewhere. */
  readonly city: string;
  /** JPEG, in base64. */
  readonly picture: string;
  /** A workbook that takes long to read, in base64. */
  readonly workbook: string;
  readonly panel: PanelAccess;
}

/** Replies so far: `bulk 200`. */
export type Greedy = Readonly<Record<string, number>>;

/** Concurrent requests of each kind; each reply is followed by the next request at once. */
const AT_ONCE: Readonly<Record<GreedyKind, number>> = {
  bulk: 2,
  writes: 4,
  exports: 2,
  'slow-reads': 4,
  imports: 1,
  uploads: 2,
  sandboxes: 6,
  ...PANEL_AT_ONCE,
};
const BULK_ROWS = 100;
const FEED_ROWS = 2000;

interface Run extends Greed {
  readonly answered: Record<string, number>;
  isStopped: boolean;
  number: number;
}

async function goOn(run: Run, kind: GreedyKind): Promise<void> {
  const ask = { bulk, writes, exports, 'slow-reads': slowReads, imports, uploads, sandboxes, ...PANEL_WORK }[kind];
  while (!run.isStopped) {
    const answer = await ask(run).catch(() => null);
    const outcome = `${kind} ${answer?.status ?? 'none'}`;
    run.answered[outcome] = (run.answered[outcome] ?? 0) + 1;
    // A request refused at once would only measure the refusals.
    if (answer === null || answer.status >= 400) await wait(20);
  }
}

const send = (run: Run, request: Omit<HarnessRequest, 'key'>): Promise<Answered> => ask(run.api, { ...request, key: run.key });
const nextNumber = (run: Run): number => {
  run.number += 1;
  return run.number;
};
const nextPlate = (run: Run): string => `${run.prefix} ${nextNumber(run)}`;

const bulk = (run: Run) => {
  const vehicles = Array.from({ length: BULK_ROWS }, () => aCar(nextPlate(run)));
  return send(run, {
    method: 'POST',
    path: 'vehicles/bulk-create',
    idempotencyKey: nextPlate(run).replace(' ', '-'),
    body: { vehicles },
  });
};

const writes = (run: Run) => send(run, { method: 'POST', path: 'vehicles', body: aCar(nextPlate(run)) });

const exports = (run: Run) => {
  const format = nextNumber(run) % 2 === 0 ? 'csv' : 'json';
  return send(run, { method: 'GET', path: `vehicles/export?format=${format}&city=${run.city}` });
};

/** No index serves them, and no two are the same: each scans the whole stock. */
const slowReads = (run: Run) => {
  const number = nextNumber(run);
  const path =
    number % 2 === 0
      ? `vehicles?limit=100&offset=${9000 + (number % 900)}`
      : `vehicles?limit=100&price_min=${number % 5000}.50&currency=TL&year_max=1901`;
  return send(run, { method: 'GET', path, headers: { 'cache-control': 'no-cache' } });
};

const FEED_FIELDS = Object.keys(aCar(''));

const imports = async (run: Run): Promise<Answered> => {
  const config = { mapping: Object.fromEntries(FEED_FIELDS.map((field) => [field, field])) };
  const name = nextPlate(run);
  const made = await send(run, {
    method: 'POST',
    path: 'import/connectors',
    body: { name, type: 'csv', transport: 'inline', target: 'vehicles', key_field: 'plate', config },
  });
  if (made.status !== 201) return made;
  const lines = Array.from({ length: FEED_ROWS }, (_, row) => {
    const car = aCar(`${name}-${row}`) as Record<string, unknown>;
    return FEED_FIELDS.map((field) => car[field]).join(';');
  });
  const content = [FEED_FIELDS.join(';'), ...lines].join('\n');
  let answer = await send(run, { method: 'POST', path: `import/connectors/${dataOf(made).id}/run`, body: { content } });
  if (answer.status >= 300) return answer;
  const { id } = dataOf(answer);
  while (!run.isStopped && dataOf(answer).finished_at === null) {
    await wait(200);
    const now = await send(run, { method: 'GET', path: `import/runs/${id}` });
    if (now.status === 200) answer = now;
  }
  return answer;
};

let vehicle: string | undefined;

async function uploads(run: Run): Promise<Answered> {
  if (vehicle === undefined) {
    const made = await writes(run);
    if (made.status !== 201) return made;
    vehicle = dataOf(made).id;
  }
  const content = Buffer.from(run.picture, 'base64');
  const boundary = createHash('sha256').update(content).digest('hex').slice(0, 40);
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="IMG.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const response = await fetch(`${run.api}vehicles/${vehicle}/photos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${run.key}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body,
  });
  const answer = { status: response.status, replayed: false, text: await response.text() };
  // Thirty per vehicle: the next go to another one.
  if (response.status === 409 || response.status === 422) vehicle = undefined;
  return answer;
}

/** Half of them make the sandbox again, the others move its clock. */
const sandboxes = async (run: Run): Promise<Answered> => {
  const [path, body] = nextNumber(run) % 2 === 0 ? ['reset', {}] : ['clock', { advance: '30d' }];
  const headers = { authorization: `Bearer ${run.sandboxKey}`, 'content-type': 'application/json' };
  const response = await fetch(`${run.panel.url}/sandbox/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, replayed: false, text: await response.text() };
};

function serveParent(): void {
  process.once('message', (greed: Greed) => {
    const run: Run = { ...greed, answered: {}, isStopped: false, number: 0 };
    const senders = run.kinds.flatMap((kind) => Array.from({ length: AT_ONCE[kind] }, () => goOn(run, kind)));
    process.once('message', async () => {
      run.isStopped = true;
      await Promise.all(senders);
      process.send!(run.answered, () => process.exit());
    });
  });
  process.on('disconnect', () => process.exit());
}

// Imported for its types by a process that may have a parent.
if (import.meta.main) serveParent();
