// The maximum rate of a write: bare node:http that sends the statements of a write in one round trip, with the service's own
// tables, indexes, rules and row-level security, and does nothing else. No key lookup, no validation, no encryption, no log.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { newEventId } from '../../src/kit/ids.ts';
import { type Answer, Batch, type Outgoing } from '../../src/postgres/batch.ts';
import { COLLECTED, type OwnSale, type Recorded } from '../statements.ts';

const { named, statements } = JSON.parse(readFileSync(process.env.STATEMENTS_FILE!, 'utf8')) as Recorded;
const accounts = JSON.parse(process.env.ACCOUNTS!) as Record<string, string>;
/** The targets of collections: the sales of each account that no other server uses. */
const sales = JSON.parse(process.env.SALES ?? '{}') as Record<string, OwnSale[]>;
const options = '-c plan_cache_mode=force_generic_plan';
const pool = new pg.Pool({ connectionString: process.env.TENANT_URL, max: 4, options } as pg.PoolConfig);
const parserOf = (type: number) => pg.types.getTypeParser(type, 'text') as (text: string) => unknown;

/** The values of a request: by their names, its time, and new ids in place of recorded ones. */
interface Fresh {
  readonly named: Readonly<Record<string, string>>;
  readonly at: string;
  readonly ids: Map<string, string>;
}

const nameOf = new Map(Object.entries(named).map(([name, value]) => [value, name]));

/** How each recorded value becomes that of a request: most are constant. */
function filling(value: unknown): (fresh: Fresh) => unknown {
  if (Array.isArray(value)) {
    const items = value.map(filling);
    return (fresh) => arrayText(items.map((item) => item(fresh)));
  }
  if (typeof value === 'object' && value !== null && 'data' in value) {
    const bytes = Buffer.from(value.data as number[]);
    return () => bytes;
  }
  if (value === null) return () => null;
  const text = String(value);
  const name = nameOf.get(text);
  if (name !== undefined) return (fresh) => fresh.named[name] ?? text;
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return (fresh) => fresh.at;
  if (/^evt_\w+$/.test(text)) return () => newEventId(Date.now());
  if (/^[0-9a-f-]{36}$/.test(text)) return (fresh) => idFor(fresh, text);
  return () => text;
}

const arrayText = (items: readonly unknown[]): string =>
  `{${items.map((item) => (item === null ? 'null' : JSON.stringify(item))).join(',')}}`;

/** The same id in every statement of one request. */
function idFor({ ids }: Fresh, recorded: string): string {
  const known = ids.get(recorded) ?? randomUUID();
  ids.set(recorded, known);
  return known;
}

const plans = statements.map(({ text, values }, index) => ({ text, name: `s${index}`, fill: values.map(filling) }));
const latest = new Map<string, number>();

async function send(account: string, own: Readonly<Record<string, string>>): Promise<void> {
  const now = Math.max(Date.now(), (latest.get(account) ?? 0) + 1);
  latest.set(account, now);
  const fresh: Fresh = { named: { ...own, account }, at: new Date(now).toISOString(), ids: new Map() };
  const sent = plans.map(({ text, name, fill }) => ({ text, name, values: fill.map((make) => make(fresh)), waiter: null }));
  const plain = (text: string, name?: string): Outgoing => ({ text, name, values: [], waiter: null });
  const client = await pool.connect();
  try {
    await new Promise<Answer>((resolve, reject) => {
      const begin = [plain('begin', 'begin'), plain(`set local app.account_id = '${account}'`)];
      const all: Outgoing[] = [...begin, ...sent, { ...plain('commit', 'commit'), waiter: { resolve, reject } }];
      client.query(new Batch(all, parserOf, () => {}) as unknown as pg.Submittable);
    });
    return;
  } catch (error) {
    await client.query('rollback');
    // Another write of the account was faster: its timestamp is later.
    if ((error as { code?: string }).code !== '40001') throw error;
  } finally {
    client.release();
  }
  return send(account, own);
}

const collectedOn = new Map<string, bigint>();
let receipts = 500_000;

/** A sale is used by one request at a time, because the next one sends the total collected. */
async function sendCollection(account: string, key: string): Promise<string> {
  const own = sales[account]!.shift()!;
  const total = (collectedOn.get(own.sale) ?? 0n) + COLLECTED;
  receipts += 1;
  const year = named.receipt!.slice(2, 6);
  const numbers = { receipt: `T-${year}-${receipts}`, order: `${year}${String(receipts).padStart(9, '0')}` };
  const id = randomUUID();
  try {
    await send(account, { ...own, ...numbers, id, key, total: String(total) });
    collectedOn.set(own.sale, total);
  } finally {
    sales[account]!.push(own);
  }
  return id;
}

async function sendVehicle(account: string, key: string, plate: string): Promise<string> {
  const id = randomUUID();
  await send(account, { id, key, plate });
  return id;
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

const server = createServer(async (request, response) => {
  const body = await bodyOf(request);
  const account = accounts[request.headers.authorization ?? '']!;
  const key = String(request.headers['idempotency-key']);
  const id = await (body.sale_id === undefined ? sendVehicle(account, key, String(body.plate)) : sendCollection(account, key));
  const bytes = Buffer.from(JSON.stringify({ success: true, data: { id, ...body } }));
  response.writeHead(201, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length });
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on('end', () => process.exit());
