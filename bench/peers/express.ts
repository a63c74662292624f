// The usual way to build the hot path: Express, Drizzle, the key looked up in the database, the page selected, mapped, sent.
// It leaves out what the service does besides: row-level security, IP list, limiter, release status, ETag, request log.
import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { and, desc, eq, getTableColumns, isNull } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { bigint, boolean, customType, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import express from 'express';
import pg from 'pg';

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const instant = (name: string) => timestamp(name, { withTimezone: true });

const keySecrets = pgTable('key_secrets', { accountId: uuid('account_id'), keyId: uuid('key_id'), digest: bytea('digest') });
const apiKeys = pgTable('api_keys', { id: uuid('id'), expiresAt: instant('expires_at'), revokedAt: instant('revoked_at') });
const keyEndpoints = pgTable('key_endpoints', {
  accountId: uuid('account_id'),
  keyId: uuid('key_id'),
  endpoint: text('endpoint'),
});
const vehicles = pgTable('vehicles', {
  accountId: uuid('account_id'),
  id: uuid('id'),
  brand: text('brand'),
  model: text('model'),
  model_year: integer('model_year'),
  km: integer('km'),
  fuel_type: text('fuel_type'),
  transmission: text('transmission'),
  body_type: text('body_type'),
  color: text('color'),
  plate: text('plate'),
  city: text('city'),
  price: bigint('price_minor', { mode: 'number' }),
  currency: text('currency'),
  status: text('status'),
  is_marketplace_visible: boolean('is_marketplace_visible'),
  created_at: instant('created_at'),
  updated_at: instant('updated_at'),
  deletedAt: instant('deleted_at'),
});
const { accountId: _owner, deletedAt: _deleted, ...published } = getTableColumns(vehicles);

const holdsVehicles = and(
  eq(keyEndpoints.accountId, keySecrets.accountId),
  eq(keyEndpoints.keyId, keySecrets.keyId),
  eq(keyEndpoints.endpoint, 'GET vehicles'),
);

const pepper = Buffer.from(process.env.PEPPER!, 'hex');
const db = drizzle(new pg.Pool({ connectionString: process.env.DATABASE_URL!, max: Number(process.env.CONNECTIONS ?? 10) }));
const app = express();

app.get('/api/v1/vehicles', async (request, response) => {
  const secret = request.get('authorization')?.match(/^Bearer (\S+)$/i)?.[1] ?? '';
  const digest = createHmac('sha256', pepper).update(secret).digest();
  const [key] = await db
    .select({
      accountId: keySecrets.accountId,
      expiresAt: apiKeys.expiresAt,
      revokedAt: apiKeys.revokedAt,
      endpoint: keyEndpoints.endpoint,
    })
    .from(keySecrets)
    .innerJoin(apiKeys, eq(apiKeys.id, keySecrets.keyId))
    .leftJoin(keyEndpoints, holdsVehicles)
    .where(eq(keySecrets.digest, digest));
  if (!key || key.revokedAt || (key.expiresAt && key.expiresAt < new Date()))
    return void response.status(401).json({ success: false });
  if (!key.endpoint) return void response.status(403).json({ success: false });
  const limit = Number(request.query.limit ?? 25);
  const offset = Number(request.query.offset ?? 0);
  const rows = await db
    .select(published)
    .from(vehicles)
    .where(and(eq(vehicles.accountId, key.accountId!), isNull(vehicles.deletedAt)))
    .orderBy(desc(vehicles.created_at), desc(vehicles.id))
    .limit(limit)
    .offset(offset);
  const data = rows.map((row) => ({ ...row, price: (row.price! / 100).toFixed(2) }));
  response.json({ success: true, data, meta: { limit, offset, count: data.length } });
});

const server = app.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on('end', () => process.exit());
