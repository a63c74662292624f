// The requests to each server, and the figures that follow from them. Targets: docs/performance.md.
import type { BenchData } from './data.ts';
import type { LoadRequest } from './load.ts';
import { openTails, TAILS } from './tails.ts';
import { startWriting } from './writing.ts';

export type ServerName = 'raw' | 'rawHeaders' | 'raw304' | 'insert' | 'statements' | 'service' | 'express' | 'fastify';

/** The requests to one server. */
export interface Baseline {
  readonly name: string;
  readonly server: ServerName;
  readonly requests: readonly LoadRequest[];
  readonly status: number;
  /** Every request on any connection, instead of one key for each connection. */
  readonly mixed?: true;
  /** Another number of connections than the run's. */
  readonly connections?: number;
}

export interface Scenario extends Baseline {
  readonly label: string;
  /** Another bare server than the one that answers reads from memory. */
  readonly against?: Baseline;
  /** Every request is answered once before anything is counted: key and response caches are filled. */
  readonly pass?: true;
  /** What is open at the same server while it is measured. */
  readonly beside?: (port: number) => Promise<() => Promise<void>>;
  /** Only with --peers. */
  readonly peer?: true;
}

export const PATH = '/api/v1/vehicles?limit=25';

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const NO_CACHE = { 'Cache-Control': 'no-cache' };

/** As a dealer's program sends one, with a unique plate and key. */
const CAR = JSON.stringify({
  brand: 'Volkswagen',
  model: 'Passat Değişken',
  model_year: 2018,
  km: 84_000,
  fuel_type: 'Dizel',
  transmission: 'Otomatik',
  body_type: 'Sedan',
  color: 'Gümüş Gri',
  plate: 'YZ ########',
  city: 'Gazimağusa',
  price: '14500.00',
  currency: 'STG',
});

const write = (key: string): LoadRequest => ({
  method: 'POST',
  path: '/api/v1/vehicles',
  headers: { ...bearer(key), 'Content-Type': 'application/json', 'Idempotency-Key': 'bench-########' },
  body: CAR,
});

/** The bare server of the writes gets the same requests over as many connections. */
function writes(keys: readonly string[], connections: number): Pick<Scenario, 'requests' | 'status' | 'connections' | 'against'> {
  const sent = { requests: keys.map(write), status: 201, connections };
  return { ...sent, against: { name: `insert-${connections}`, server: 'insert', ...sent } };
}

/** `cursor`: of a page in the middle of a walk over 200 000 rows. */
export function scenarios(data: BenchData, etag: string, cursor: string): Scenario[] {
  const { small, big, spread } = data;
  const read = (keys: readonly string[], path = PATH, headers: Record<string, string> = {}): LoadRequest[] =>
    keys.map((key) => ({ path, headers: { ...bearer(key), ...headers } }));
  const nothing = `${PATH}&status=${encodeURIComponent('Satıldı')}`;
  const service = (name: string, label: string, requests: LoadRequest[], more: Partial<Scenario> = {}): Scenario => ({
    name,
    label,
    server: 'service',
    requests,
    status: 200,
    ...more,
  });
  return [
    service('hot', 'hot read: whole pipeline, unchanged data', read(small.keys)),
    service('tails', `hot read beside ${TAILS} live views of its log`, read(small.keys), {
      beside: (port) => openTails(data, port),
    }),
    service('writing', 'hot read while another dealer writes as fast as it can', read(small.keys), {
      beside: (port) => startWriting(data, port),
    }),
    service('conditional', 'conditional read, answered 304', read(small.keys, PATH, { 'If-None-Match': etag }), { status: 304 }),
    service('cold', 'cold read: no response cache', read(small.keys, PATH, NO_CACHE)),
    service('cold-big', 'cold read, first page of 200 000 rows', read(big.keys, PATH, NO_CACHE)),
    service('cold-nothing', 'cold read, status without rows in 200 000', read(big.keys, nothing, NO_CACHE)),
    service('walk', 'cold read, first page of a walk over 200 000 rows', read(big.keys, `${PATH}&cursor=start`, NO_CACHE)),
    service('walk-deep', 'cold read, page 4 001 of that walk', read(big.keys, `${PATH}&cursor=${cursor}`, NO_CACHE)),
    service('spread', 'hot read with 10 000 keys of 1 000 accounts', read(spread), { pass: true, mixed: true }),
    service('write', 'POST vehicles with a key each, 16 connections over 8 accounts', [], writes(data.writers, 16)),
    {
      ...service('write-floor', 'its statements alone, sent by a bare server', [], writes(data.writers, 16)),
      server: 'statements',
    },
    service('write-one', 'the same from one account, 4 connections', [], writes(data.writers.slice(0, 1), 4)),
    { ...service('raw-headers', 'node:http, the same bytes and headers', read(small.keys)), server: 'rawHeaders' },
    { ...service('raw-304', 'node:http, answering 304', read(small.keys)), server: 'raw304', status: 304 },
    { ...service('fastify', 'Fastify 5, Buffer from memory', read(small.keys)), server: 'fastify', peer: true },
    { ...service('express', 'Express 5 + Drizzle + key in the database', read(small.keys)), server: 'express', peer: true },
  ];
}

/** One measured slice, with the bare server's rate just before and after it. */
export interface Slice {
  readonly rps: number;
  readonly ratio: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time per request: the server's own, and PostgreSQL's during the slice. */
  readonly cpuUs: number | null;
  readonly databaseCpuUs: number | null;
  readonly rssMb: number | null;
  /** The bare server's processor time per request divided by that of this server and its database. */
  readonly work: number | null;
  /** The share of the machine that other processes used. */
  readonly others: number | null;
}

export type Slices = ReadonlyMap<string, readonly Slice[]>;

export interface Measured {
  readonly slices: Slices;
  /** Execution time of the service's own statement at offset 100 000 divided by that of plain OFFSET. */
  readonly offsetTime: number | null;
}

export interface Figure {
  readonly name: string;
  readonly label: string;
  readonly value: number | null;
  readonly isAtLeast: boolean;
  readonly first: number;
  readonly then: number;
  readonly unit: '' | '×' | ' MB';
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * The target as a share of the maximum: the maximum is measured in the same run, by a server that only sends the same bytes and
 * headers, or the same statements.
 */
export const OF_FLOOR = 0.7;

export function figures({ slices, offsetTime }: Measured): Figure[] {
  const of = (name: string, read: (slice: Slice) => number | null): number | null => {
    const values = (slices.get(name) ?? []).map(read).filter((value) => value !== null);
    return values.length === 0 ? null : median(values);
  };
  const ratio = (name: string) => of(name, (slice) => slice.ratio);
  /** Round by round, through each one's ratio to the bare server beside it: a slow round affects both. */
  const against = (name: string, other: string): number | null => {
    const [ours, theirs] = [slices.get(name) ?? [], slices.get(other) ?? []];
    const rounds = Math.min(ours.length, theirs.length);
    return rounds === 0 ? null : median(ours.slice(0, rounds).map((slice, round) => slice.ratio / theirs[round]!.ratio));
  };
  /** The same by processor time. */
  const workAgainst = (name: string, other: string): number | null => {
    const [ours, theirs] = [of(name, (slice) => slice.work), of(other, (slice) => slice.work)];
    return ours === null || theirs === null ? null : ours / theirs;
  };
  /** The p99 of one against another's, round by round. */
  const p99Against = (name: string, other: string): number | null => {
    const [ours, theirs] = [slices.get(name) ?? [], slices.get(other) ?? []];
    const rounds = Math.min(ours.length, theirs.length);
    return rounds === 0 ? null : median(ours.slice(0, rounds).map((slice, round) => slice.p99Ms / theirs[round]!.p99Ms));
  };
  const resident = [...slices.values()].flat().flatMap((slice) => slice.rssMb ?? []);
  const tail = (name: string) => of(name, (slice) => slice.p99Ms / slice.p50Ms);
  const atLeast = (
    name: string,
    label: string,
    value: number | null,
    first: number,
    then: number,
    unit: '' | '×' = '',
  ): Figure => ({
    name,
    label,
    value,
    isAtLeast: true,
    first,
    then,
    unit,
  });
  const atMost = (
    name: string,
    label: string,
    value: number | null,
    first: number,
    then: number,
    unit: '×' | ' MB' = '×',
  ): Figure => ({
    ...atLeast(name, label, value, first, then),
    isAtLeast: false,
    unit,
  });
  return [
    atLeast('hot', 'hot read against node:http with the same headers', against('hot', 'raw-headers'), OF_FLOOR, OF_FLOOR),
    atLeast(
      'conditional',
      'conditional read against node:http answering 304',
      against('conditional', 'raw-304'),
      OF_FLOOR,
      OF_FLOOR,
    ),
    atLeast('cold', 'cold read: no cache, RLS on, everything else on', ratio('cold'), 0.12, 0.25),
    atLeast('write', 'POST vehicles against its statements alone', against('write', 'write-floor'), OF_FLOOR, OF_FLOOR),
    atLeast('write-cpu', 'the same by processor time', workAgainst('write', 'write-floor'), OF_FLOOR, OF_FLOOR),
    atLeast('write-one', 'POST vehicles from one account, against a bare INSERT', ratio('write-one'), 0.22, 0.22),
    atLeast('hot-express', 'hot read against Express + Drizzle', against('hot', 'express'), 12, 18, '×'),
    atLeast('cold-express', 'cold read against Express + Drizzle', against('cold', 'express'), 3, 6, '×'),
    atLeast('spread', '10 000 keys of 1 000 accounts against one account', against('spread', 'hot'), 0.8, 0.8),
    atLeast('tails', `hot read beside ${TAILS} live views against without`, against('tails', 'hot'), 0.9, 0.95),
    atMost('writing', "hot read's p99 while another dealer writes, against without", p99Against('writing', 'hot'), 1.5, 1.5),
    atMost('big', 'first page of 200 000 rows against 500, time', against('cold', 'cold-big'), 1.15, 1.15),
    atMost('nothing', 'status without rows in 200 000 against first page, time', against('cold-big', 'cold-nothing'), 2, 2),
    atMost('walk', 'page 4 001 of a walk over 200 000 rows against page 1, time', against('walk', 'walk-deep'), 1.15, 1.15),
    atMost('offset', 'offset 100 000 against plain OFFSET, database time', offsetTime, 1 / 6, 0.01),
    atMost(
      'rss',
      'resident memory of the API process, 32 connections',
      resident.length > 0 ? Math.max(...resident) : null,
      220,
      150,
      ' MB',
    ),
    atMost('tail-hot', 'p99 against p50, hot read', tail('hot'), 6, 4),
    atMost('tail-cold', 'p99 against p50, cold read', tail('cold'), 6, 4),
  ];
}

export const reached = ({ value, isAtLeast, first }: Figure): boolean | null =>
  value === null ? null : isAtLeast ? value >= first : value <= first;
