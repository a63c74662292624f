// `node bench/bids.ts`: bids on one auction from 32 connections against a loop of UPDATE … WHERE id with commit on the same
// PostgreSQL, and how long a bid holds the auction. See docs/performance.md.
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openSession, type Session } from '../src/postgres/database.ts';
import { type BenchData, DISK_USAGE, galeri, loadDealers, makeData, SMALL_ROWS } from './data.ts';
import type { LoadRequest, LoadResult } from './load.ts';
import { choosePins, cpuBetween, cpuOfTree, cpuSeconds, startGenerator, startService, stopAll } from './processes.ts';
import { median } from './scenarios.ts';

const USAGE = `node bench/bids.ts [options]
  --rounds N         rounds of which the median is taken (5)
  --seconds S        length of one measurement (3)
  --connections N    keep-alive connections (32)
  --bidders N        dealers who bid, each with connections of its own (as many as connections)
${DISK_USAGE}
  --node-options O   for the service, such as --cpu-prof
  --check            exit 1 when the figure is missed
  --json             one JSON value`;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    bidders: { type: 'string' },
    disk: { type: 'string', default: '0' },
    'node-options': { type: 'string', default: '' },
    check: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [rounds, seconds, connections] = [Number(options.rounds), Number(options.seconds), Number(options.connections)];
const bidders = Number(options.bidders ?? connections);
const TO_REACH = 0.4;
const BID = 'POST network-auctions/{auction_id}/bid';
const progress = (line: string) => {
  if (!options.json) process.stderr.write(`${line}\n`);
};

interface Bidding {
  readonly auctionId: string;
  readonly requests: readonly LoadRequest[];
}

/** One auction, and dealers who may bid. A later request bids more: the load generator numbers its requests. */
async function openBidding(session: Session, { dataDir, connected }: BenchData, port: number): Promise<Bidding> {
  const dealers = { accounts: bidders + 1, keysEach: 1, rowsEach: 3, endpoint: BID, perMinute: 1_000_000 };
  const { keys, accounts } = await loadDealers(session, connected.secrets.pepper, dealers);
  const [seller] = accounts;
  // In production this needs two administrators.
  await session.rows('alter table api_keys disable trigger authorization_decision');
  await session.rows(`update api_keys set authorizations = '{network_auction_bid}' where account_id = any($1::uuid[])`, [
    accounts,
  ]);
  await session.rows('alter table api_keys enable trigger authorization_decision');
  await session.rows(
    `insert into key_endpoints (account_id, key_id, endpoint) select account_id, id, 'POST network-auctions' from api_keys where account_id = $1`,
    [seller],
  );
  for (const endpoint of [BID, 'POST network-auctions']) await galeri(dataDir, 'release', 'activate', endpoint);
  const [car] = await session.rows<{ id: string }>(
    `select id from vehicles where account_id = $1 and status = 'Stokta' limit 1`,
    [seller],
  );
  const headers = (key: string) => ({ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' });
  const ends_at = new Date(Date.now() + 13 * 86_400_000).toISOString();
  const body = JSON.stringify({ vehicle_id: car!.id, start_price: '1.00', min_increment: '1.00', ends_at });
  const url = `http://127.0.0.1:${port}/api/v1/network-auctions`;
  for (const until = Date.now() + 10_000; ; await wait(200)) {
    const response = await fetch(url, { method: 'POST', headers: headers(keys[0]!), body });
    const text = await response.text();
    if (response.status !== 201 && Date.now() < until) continue;
    if (response.status !== 201) throw new Error(`the auction was answered ${response.status}: ${text}`);
    const auctionId = JSON.parse(text).data.id as string;
    const path = `/api/v1/network-auctions/${auctionId}/bid`;
    const requests = keys.slice(1).map((key) => ({
      method: 'POST',
      path,
      headers: { ...headers(key), 'Idempotency-Key': 'bench-########' },
      body: '{"amount":"1########.00"}',
    }));
    return { auctionId, requests };
  }
}

/** Updates a second: what the disk and PostgreSQL allow one connection on one row. */
async function updatesFor(bare: Session, length: number): Promise<number> {
  const startedAt = performance.now();
  let count = 0;
  for (; performance.now() - startedAt < length * 1000; count += 1)
    await bare.rows('update bench_rows set amount = amount + 1 where id = $1', [1]);
  return count / ((performance.now() - startedAt) / 1000);
}

interface Round {
  readonly ratio: number;
  readonly bids: number;
  readonly updates: number;
  readonly refused: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly nodeUs: number;
  readonly databaseUs: number;
}

async function main(): Promise<number> {
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const data = await makeData(progress, SMALL_ROWS, 1, options.disk);
  const [session, bare] = [await openSession(data.connected.adminUrl), await openSession(data.bareUrl)];
  try {
    const pins = choosePins(false);
    const service = await startService(data.dataDir, pins, { nodeOptions: options['node-options'] });
    const { auctionId, requests } = await openBidding(session, data, service.port);
    await bare.rows('create table bench_rows (id int primary key, amount bigint not null)');
    await bare.rows('insert into bench_rows select n, 0 from generate_series(1, 1000) n');
    await session.rows('checkpoint');
    const generator = startGenerator(pins);
    const database = data.connected.embedded!.pid()!;
    const load = (length: number): Promise<LoadResult> =>
      generator.run({ port: service.port, requests, faithful: true, connections, seconds: length });
    progress('warming up');
    await load(seconds * 2);
    await updatesFor(bare, 1);
    const found: Round[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      progress(`round ${round} of ${rounds}`);
      const before = await updatesFor(bare, seconds / 3);
      const from = { node: cpuSeconds(service.pid)!, database: cpuOfTree(database) };
      const { statuses, total, p50Ms, p99Ms, seconds: length } = await load(seconds);
      const [nodeUs, databaseUs] = [
        cpuSeconds(service.pid)! - from.node,
        cpuBetween(from.database, cpuOfTree(database)) ?? Number.NaN,
      ].map((used) => (used / total) * 1e6);
      const updates = (before + (await updatesFor(bare, seconds / 3))) / 2;
      progress(JSON.stringify(statuses));
      const { 201: taken = 0, 409: refused = 0, 503: away = 0, ...others } = statuses;
      if (Object.keys(others).length > 0) throw new Error(`bids were answered ${JSON.stringify(statuses)}`);
      const bids = taken / length;
      found.push({
        ratio: bids / updates,
        bids,
        updates,
        refused: refused / (taken + refused),
        p50Ms,
        p99Ms,
        nodeUs: nodeUs!,
        databaseUs: databaseUs!,
      });
    }
    await print(session, auctionId, found);
    return options.check && median(found.map(({ ratio }) => ratio)) < TO_REACH ? 1 : 0;
  } finally {
    await Promise.all([session.close(), bare.close()]);
    await stopAll();
    await data.close();
  }
}

async function print(session: Session, auctionId: string, found: readonly Round[]): Promise<void> {
  const of = (pick: (round: Round) => number) => median(found.map(pick));
  const [{ bids }] = (await session.rows<{ bids: number }>(`select bid_count as bids from network_auctions where id = $1`, [
    auctionId,
  ])) as [{ bids: number }];
  const figures = {
    'bids against updates of one row': of(({ ratio }) => ratio),
    'accepted bids a second': of(({ bids }) => bids),
    'updates a second': of(({ updates }) => updates),
    'share of bids that were refused as too late': of(({ refused }) => refused),
    'a bid, p50 ms': of(({ p50Ms }) => p50Ms),
    'a bid, p99 ms': of(({ p99Ms }) => p99Ms),
    'µs of Node for a bid': of(({ nodeUs }) => nodeUs),
    'µs of PostgreSQL for a bid': of(({ databaseUs }) => databaseUs),
    'bids in the auction at the end': bids,
    'dealers who bid': bidders,
    connections,
  };
  if (options.json) return console.log(JSON.stringify({ figures, found }));
  progress(`ratios: ${found.map(({ ratio }) => ratio.toFixed(3)).join(', ')}; to reach ≥ ${TO_REACH}`);
  for (const [label, value] of Object.entries(figures)) console.log(`${label.padEnd(52)} ${value.toFixed(3).padStart(12)}`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stopAll());

process.exitCode = await main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  return 1;
});
