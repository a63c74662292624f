// Fastify without plugins: one route that returns the same bytes from memory.
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';

const { body } = JSON.parse(readFileSync(process.env.REPLY_FILE!, 'utf8')) as { body: string };
const bytes = Buffer.from(body);

const app = fastify();
app.get('/api/v1/vehicles', (_request, reply) => reply.type('application/json; charset=utf-8').send(bytes));
await app.listen({ host: '127.0.0.1', port: 0 });
console.log((app.server.address() as AddressInfo).port);
process.stdin.resume().on('end', () => process.exit());
