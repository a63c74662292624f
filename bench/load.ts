// The load generator: a separate process, raw sockets, prebuilt requests, and minimal parsing of a reply (status, Content-
// Length), so that it uses as little of the machine as possible. Loopback only, bounded in time. As a child with an IPC channel
// it runs one job after another and ends with the channel. From the shell:
//
//   node bench/load.ts --port 3000 --path '/api/v1/vehicles?limit=25' --header 'Authorization: Bearer gal_prod_…' --seconds 5
import { connect } from 'node:net';
import { parseArgs } from 'node:util';

export interface LoadRequest {
  readonly method?: string;
  readonly path: string;
  /** Every `########` in headers and body becomes a unique number: a key, a plate. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of `atMoments` jobs: latencies are also counted by kind. */
  readonly kind?: string;
}

export interface LoadJob {
  readonly port: number;
  /** Sent in turn, over all connections together. */
  readonly requests: readonly LoadRequest[];
  /** Each connection keeps to one of the requests, as a client keeps to its key. */
  readonly faithful?: boolean;
  readonly connections?: number;
  /** The measured time; longer where no reply has arrived until then. */
  readonly seconds: number;
  /** The warm-up before it. */
  readonly leadSeconds?: number;
  /** The warm-up also lasts until every request of the list was answered once (at most a minute). */
  readonly leadPass?: boolean;
  /**
   * Instead of one request after another on each connection: every request of the list once, at random moments of the measured time,
   * whether earlier ones have been answered or not. A latency counts from that moment, so a stall counts for all that wait for it.
   * There is no warm-up.
   */
  readonly atMoments?: boolean;
}

export interface Latencies {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface LoadResult extends Latencies {
  /** Including the warm-up. */
  readonly total: number;
  readonly seconds: number;
  readonly rps: number;
  /** 0: no reply. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly kinds?: Readonly<Record<string, Latencies>>;
  /** Connections that ended before their reply did. */
  readonly broken: number;
}

const HOST = '127.0.0.1';
const MAX_SECONDS = 600;
const MAX_REPLY_SECONDS = 60;
/** How long replies are awaited after the last moment of an `atMoments` job. */
const GRACE_MS = 10_000;
/** Latencies are counted in steps of 10 µs up to 2 s: exact enough for a percentile, and without memory per request. */
const STEPS_PER_MS = 100;
const STEPS = 2000 * STEPS_PER_MS;
const HEAD_END = Buffer.from('\r\n\r\n');
/** The end of `Content-Length: `, for any case of its first letters. */
const LENGTH_MARK = Buffer.from('ength: ');

function bytesOf(request: LoadRequest, port: number): Buffer {
  const { method = 'GET', path, body = '' } = request;
  const length: Record<string, string> = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const headers = {
    Host: `${HOST}:${port}`,
    Accept: 'application/json',
    'User-Agent': 'galeri-bench',
    ...length,
    ...request.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), Buffer.from(body)]);
}

const NUMBER_MARK = '########';
let lastNumber = 0;

/** The bytes to send each time. With placeholders they are copied: the previous bytes may still be in a send buffer. */
function sender(bytes: Buffer): () => Buffer {
  const marks: number[] = [];
  for (let at = bytes.indexOf(NUMBER_MARK); at !== -1; at = bytes.indexOf(NUMBER_MARK, at + 1)) marks.push(at);
  if (marks.length === 0) return () => bytes;
  return () => {
    const numbered = Buffer.from(bytes);
    const number = String(++lastNumber).padStart(NUMBER_MARK.length, '0');
    for (const at of marks) numbered.write(number, at, 'latin1');
    return numbered;
  };
}

class Tally {
  readonly latencies = new Uint32Array(STEPS + 1);
  readonly statuses = new Uint32Array(1000);
  count = 0;
  total = 0;
  broken = 0;

  add(status: number, milliseconds: number): void {
    this.count += 1;
    this.total += 1;
    this.statuses[status]! += 1;
    this.latencies[Math.min(STEPS, Math.floor(milliseconds * STEPS_PER_MS))]! += 1;
  }

  clear(): void {
    this.count = 0;
    this.broken = 0;
    this.latencies.fill(0);
    this.statuses.fill(0);
  }

  percentile(share: number): number {
    let left = Math.ceil(this.count * share);
    for (let step = 0; step <= STEPS; step += 1) {
      left -= this.latencies[step]!;
      if (left <= 0) return (step + 0.5) / STEPS_PER_MS;
    }
    return 0;
  }

  latencyFigures(): Latencies {
    return { count: this.count, p50Ms: this.percentile(0.5), p99Ms: this.percentile(0.99) };
  }

  result(seconds: number): LoadResult {
    const statuses: Record<string, number> = {};
    this.statuses.forEach((count, status) => {
      if (count > 0) statuses[status] = count;
    });
    const { count, total, broken } = this;
    return { ...this.latencyFigures(), total, seconds, rps: count / seconds, statuses, broken };
  }
}

export function runLoad(job: LoadJob): Promise<LoadResult> {
  const lead = job.leadSeconds ?? 0.2;
  if (!(job.seconds > 0 && job.seconds + lead <= MAX_SECONDS)) throw new Error(`a job lasts at most ${MAX_SECONDS} s`);
  return job.atMoments ? runAtMoments(job) : runInTurn(job, lead);
}

function runInTurn(job: LoadJob, lead: number): Promise<LoadResult> {
  const requests = job.requests.map((request) => sender(bytesOf(request, job.port)));
  const tally = new Tally();
  let next = 0;
  let ended = false;
  const closers: (() => void)[] = [];
  const inTurn = () => requests[next++ % requests.length]!();

  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      if (ended) return;
      ended = true;
      for (const close of closers) close();
      settle();
    };
    const fail = (error: Error) => finish(() => reject(error));
    // Replies are read to the end before the next chunk arrives, so all connections share one buffer.
    const buffer = Buffer.allocUnsafe(65_536);
    for (let index = 0; index < (job.connections ?? 32); index += 1) {
      const own = requests[index % requests.length]!;
      const take = job.faithful ? own : inTurn;
      const source: Source = {
        next: (send) => send({ bytes: take(), at: performance.now() }),
        answered: ({ at }, status) => tally.add(status, performance.now() - at),
        broken: () => {
          tally.broken += 1;
          if (tally.broken > 1000) fail(new Error(`port ${job.port} keeps closing its connections`));
        },
        idleEnded: () => {},
      };
      closers.push(keepConnection(job.port, buffer, source, () => ended, fail));
    }
    const measure = () => {
      tally.clear();
      const startedAt = performance.now();
      const end = () => {
        const seconds = (performance.now() - startedAt) / 1000;
        // On a busy machine the first reply may take longer than a short round.
        if (tally.count > 0 || seconds > MAX_REPLY_SECONDS) finish(() => resolve(tally.result(seconds)));
        else setTimeout(end, 50);
      };
      setTimeout(end, job.seconds * 1000);
    };
    const started = performance.now();
    const wait = () => {
      const passed = !job.leadPass || tally.count >= requests.length || performance.now() - started > 60_000;
      if (passed) measure();
      else setTimeout(wait, 50);
    };
    setTimeout(wait, lead * 1000);
  });
}

/** A request that is due: its latency counts from `at`. */
interface Due {
  readonly bytes: Buffer;
  readonly at: number;
  readonly kind?: string;
}
type Send = (due: Due) => void;

/** Where connections get their requests from. */
interface Source {
  /** Calls `send` now or later, once. */
  next(send: Send): void;
  answered(due: Due, status: number): void;
  /** The connection ended before the reply did; null: it was never open. */
  broken(due: Due | null): void;
  /** The connection ended while it waited for a request. */
  idleEnded(send: Send): void;
}

function runAtMoments(job: LoadJob): Promise<LoadResult> {
  const requests = job.requests.map((request) => sender(bytesOf(request, job.port)));
  const from = performance.now();
  const until = from + job.seconds * 1000;
  const moments = Float64Array.from(requests, () => from + Math.random() * (until - from)).sort();
  const tally = new Tally();
  const kinds = new Map(job.requests.map(({ kind = '' }) => [kind, new Tally()]));
  const idle: Send[] = [];
  let [arrived, taken, settled] = [0, 0, 0];
  let ended = false;
  const take = (): Due => {
    const place = taken++;
    return { bytes: requests[place]!(), at: moments[place]!, kind: job.requests[place]!.kind ?? '' };
  };
  const settle = ({ at, kind }: Due, status: number) => {
    // Without a reply it counts as the longest latency.
    const took = status === 0 ? Number.POSITIVE_INFINITY : performance.now() - at;
    settled += 1;
    tally.add(status, took);
    kinds.get(kind!)!.add(status, took);
  };
  return new Promise((resolve, reject) => {
    const closers: (() => void)[] = [];
    const finish = (end: () => void) => {
      if (ended) return;
      ended = true;
      clearInterval(clock);
      for (const close of closers) close();
      end();
    };
    const buffer = Buffer.allocUnsafe(65_536);
    const source: Source = {
      next: (send) => (taken < arrived ? send(take()) : void idle.push(send)),
      answered: settle,
      broken: (due) => {
        tally.broken += 1;
        if (due !== null) settle(due, 0);
      },
      idleEnded: (send) => idle.splice(idle.indexOf(send), 1),
    };
    const clock = setInterval(() => {
      const now = performance.now();
      while (arrived < moments.length && moments[arrived]! <= now) arrived += 1;
      while (taken < arrived && idle.length > 0) idle.pop()!(take());
      if (settled < requests.length && now < until + GRACE_MS) return;
      for (let left = requests.length - settled; left > 0; left -= 1) tally.add(0, Number.POSITIVE_INFINITY);
      const byKind = Object.fromEntries([...kinds].map(([kind, one]) => [kind, one.latencyFigures()]));
      finish(() => resolve({ ...tally.result(job.seconds), kinds: byKind }));
    }, 1);
    for (let index = 0; index < (job.connections ?? 32); index += 1)
      closers.push(
        keepConnection(
          job.port,
          buffer,
          source,
          () => ended,
          (error) => finish(() => reject(error)),
        ),
      );
  });
}

/** One connection with at most one request in progress; reopened when the server closes it. Returns how it is closed. */
function keepConnection(
  port: number,
  buffer: Buffer,
  source: Source,
  ended: () => boolean,
  fail: (error: Error) => void,
): () => void {
  let close = () => {};
  const open = () => {
    let head: Buffer | null = null;
    let status = 0;
    let left = 0;
    let isIdle = false;
    let current: Due | null = null;
    const send = (due: Due) => {
      isIdle = false;
      current = due;
      socket.write(due.bytes);
    };
    const next = () => {
      current = null;
      isIdle = true;
      source.next(send);
    };
    const read = (size: number): boolean => {
      if (ended()) return false;
      if (left > 0) {
        left -= size;
      } else {
        let chunk = buffer.subarray(0, size);
        if (head !== null) {
          chunk = Buffer.concat([head, chunk]);
          head = null;
        }
        const end = chunk.indexOf(HEAD_END);
        if (end === -1) {
          head = Buffer.from(chunk);
          return true;
        }
        status = (chunk[9]! - 48) * 100 + (chunk[10]! - 48) * 10 + chunk[11]! - 48;
        left = bodyLength(chunk, end, status) - (chunk.length - end - HEAD_END.length);
      }
      if (left < 0 || current === null) fail(new Error(`port ${port} sent other than one reply with a Content-Length`));
      else if (left === 0) {
        source.answered(current, status);
        next();
      }
      return true;
    };
    const socket = connect({ host: HOST, port, noDelay: true, onread: { buffer, callback: read } });
    socket.on('connect', next);
    socket.on('error', () => {});
    socket.on('close', () => {
      if (ended()) return;
      if (isIdle) source.idleEnded(send);
      else source.broken(current);
      if (!ended()) setTimeout(open, 10);
    });
    close = () => socket.destroy();
  };
  open();
  return () => close();
}

function bodyLength(chunk: Buffer, end: number, status: number): number {
  const mark = chunk.indexOf(LENGTH_MARK);
  if (mark === -1 || mark > end) return status === 304 || status === 204 ? 0 : Number.NEGATIVE_INFINITY;
  // A 304 may declare the length of the body it does not send.
  if (status === 304) return 0;
  let length = 0;
  for (let place = mark + LENGTH_MARK.length; chunk[place]! >= 48; place += 1) length = length * 10 + chunk[place]! - 48;
  return length;
}

function serveParent(send: (message: unknown) => void): void {
  process.on('message', (job: LoadJob) => {
    runLoad(job).then(
      (result) => send({ result }),
      (error: Error) => send({ error: error.message }),
    );
  });
  process.on('disconnect', () => process.exit());
}

async function runByHand(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      path: { type: 'string', default: '/' },
      header: { type: 'string', multiple: true, default: [] },
      connections: { type: 'string', default: '32' },
      seconds: { type: 'string', default: '5' },
    },
  });
  const headers = Object.fromEntries(values.header.map((line) => line.split(/: */, 2) as [string, string]));
  const requests = [{ path: values.path, headers }];
  const [port, connections, seconds] = [Number(values.port), Number(values.connections), Number(values.seconds)];
  console.log(JSON.stringify(await runLoad({ port, requests, connections, seconds })));
}

if (import.meta.main) {
  if (process.send) serveParent(process.send.bind(process));
  else await runByHand();
}
