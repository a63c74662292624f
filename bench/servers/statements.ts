// The most that a write can reach: bare node:http that sends the statements of a POST vehicles in one round trip, with the service's own
// tables, indexes, rules and row-level security, and does nothing else. No key is looked up, no field checked, nothing sealed or logged.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { newEventId } from '../../src/kit/ids.ts';
import { type Answer, Batch, type Outgoing } from '../../src/postgres/batch.ts';
import type { Recorded } from '../statements.ts';

const { account, plate, key, vehicle, statements } = JSON.parse(readFileSync(process.env.STATEMENTS_FILE!, 'utf8')) as Recorded;
const accounts = JSON.parse(process.env.ACCOUNTS!) as Record<string, string>;
const options = '-c plan_cache_mode=force_generic_plan';
const pool = new pg.Pool({ connectionString: process.env.TENANT_URL, max: 4, options } as pg.PoolConfig);
const parserOf = (type: number) => pg.types.getTypeParser(type, 'text') as (text: string) => unknown;

interface Fresh {
  readonly account: string;
  readonly plate: string;
  readonly key: string;
  readonly at: string;
  readonly vehicle: string;
}

/** How each recorded value becomes that of a request: most are the same in all. */
function filling(value: unknown): (fresh: Fresh) => unknown {
  if (typeof value === 'object' && value !== null && 'data' in value) {
    const bytes = Buffer.from(value.data as number[]);
    return () => bytes;
  }
  if (typeof value !== 'string') {
    const text = value === null ? null : String(value);
    return () => text;
  }
  if (value === account) return (fresh) => fresh.account;
  if (value === plate) return (fresh) => fresh.plate;
  if (value === key) return (fresh) => fresh.key;
  if (value === vehicle) return (fresh) => fresh.vehicle;
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return (fresh) => fresh.at;
  if (/^evt_\w+$/.test(value)) return () => newEventId(Date.now());
  if (/^[0-9a-f-]{36}$/.test(value)) return () => randomUUID();
  return () => value;
}

const plans = statements.map(({ text, values }, index) => ({ text, name: `s${index}`, fill: values.map(filling) }));
const latest = new Map<string, number>();

async function insert(given: Omit<Fresh, 'at' | 'vehicle'>): Promise<string> {
  const now = Math.max(Date.now(), (latest.get(given.account) ?? 0) + 1);
  latest.set(given.account, now);
  const fresh = { ...given, at: new Date(now).toISOString(), vehicle: randomUUID() };
  const sent = plans.map(({ text, name, fill }) => ({ text, name, values: fill.map((make) => make(fresh)), waiter: null }));
  const plain = (text: string, name?: string): Outgoing => ({ text, name, values: [], waiter: null });
  const client = await pool.connect();
  try {
    await new Promise<Answer>((resolve, reject) => {
      const begin = [plain('begin', 'begin'), plain(`set local app.account_id = '${given.account}'`)];
      const all: Outgoing[] = [...begin, ...sent, { ...plain('commit', 'commit'), waiter: { resolve, reject } }];
      client.query(new Batch(all, parserOf, () => {}) as unknown as pg.Submittable);
    });
    return fresh.vehicle;
  } catch (error) {
    await client.query('rollback');
    // Another write of the account was faster: its stamp is later.
    if ((error as { code?: string }).code !== '40001') throw error;
  } finally {
    client.release();
  }
  return insert(given);
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

const server = createServer(async (request, response) => {
  const given = await bodyOf(request);
  const { authorization = '', 'idempotency-key': sentKey } = request.headers;
  const id = await insert({ account: accounts[authorization]!, plate: String(given.plate), key: String(sentKey) });
  const bytes = Buffer.from(JSON.stringify({ success: true, data: { id, ...given } }));
  response.writeHead(201, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length });
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on('end', () => process.exit());
