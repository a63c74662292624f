// The reference of the writes: bare node:http that inserts one row into one table, commits, and answers. No key, no rules, no
// history.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
const COLUMNS = [
  'brand',
  'model',
  'model_year',
  'km',
  'fuel_type',
  'transmission',
  'body_type',
  'color',
  'plate',
  'city',
] as const;
const TEXT = `insert into bench_inserts (id, ${COLUMNS.join(', ')}, price_minor, currency)
  values ($1, ${COLUMNS.map((_, index) => `$${index + 2}`).join(', ')}, $12, $13)`;

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

const server = createServer(async (request, response) => {
  const body = await bodyOf(request);
  const id = randomUUID();
  const minor = Math.round(Number(body.price) * 100);
  await pool.query({ name: 'insert', text: TEXT, values: [id, ...COLUMNS.map((name) => body[name]), minor, body.currency] });
  const bytes = Buffer.from(JSON.stringify({ success: true, data: { id, ...body } }));
  response.writeHead(201, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length });
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on('end', () => process.exit());
