// The fields of the six live endpoints against the tables of the specification and the contract's own lists, not against the
// code.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { jsonSchemaOf, type Schema } from '../../src/kit/schema.ts';
import { resources } from '../../src/resources/index.ts';

const text = readFileSync(new URL('../../docs/spec.md', import.meta.url), 'utf8');
const bodies = new Map(resources.flatMap(({ endpoints }) => endpoints.map((endpoint) => [endpoint.id, endpoint.body] as const)));

/** Field → type, as in the specification's table under that heading. */
function specFields(heading: string): [name: string, type: string][] {
  const start = text.indexOf(`### ${heading}`);
  const part = text.slice(start, text.indexOf('\n### ', start + 1));
  return [...part.matchAll(/^\| *(\w+) *\| *([^|]+?) *\|/gm)].map((match) => [match[1]!, match[2]!] as [string, string]).slice(1);
}

interface JsonSchema {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

function schemaOf(rowId: string): JsonSchema {
  const body = bodies.get(rowId)! as { lists?: Schema; returns?: Schema };
  return jsonSchemaOf((body.lists ?? body.returns)!) as JsonSchema;
}

const properties = (schema: JsonSchema) => schema.properties as Record<string, JsonSchema>;

/** The specification's word for the type of a field. */
function typeOf(schema: JsonSchema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => (one.type === 'null' ? 'null' : typeOf(one))).join(' or ');
  if (schema.format === 'uuid') return 'uuid';
  if (schema.format === 'date-time') return 'timestamp';
  return schema.pattern?.endsWith('\\.\\d{2}$') ? 'numeric' : schema.type!;
}

describe.each([
  ['GET vehicles', 'Vehicle (returned by GET vehicles)', 17],
  ['GET customers', 'Customer (returned by GET customers)', 8],
  ['GET developer/rate-limit', 'Rate-limit status (returned by GET developer/rate-limit)', 6],
])('%s', (rowId, heading, size) => {
  test('returns the fields of the specification and no other, in its order, with its types', () => {
    const actual = Object.entries(properties(schemaOf(rowId))).map(([name, schema]) => [name, typeOf(schema)]);
    expect(specFields(heading)).toHaveLength(size);
    expect(actual).toEqual(specFields(heading));
  });
});

test('the enumerated values of a vehicle are those of the specification', () => {
  const { currency, status } = properties(schemaOf('GET vehicles'));
  expect(currency!.enum).toEqual(['TL', 'STG', 'USD', 'EUR']);
  expect(status!.enum).toEqual(['Stokta', 'Rezerve', "Auction'da", 'Satıldı']);
});

test('GET account returns the fields the contract lists', () => {
  const fields = properties(schemaOf('GET account'));
  expect(Object.keys(fields).join(', ')).toBe(
    'id, name, legal_name, city, country, phone, email, default_currency, timezone, locale, status, created_at, updated_at, api_key',
  );
  expect(Object.keys(properties(fields.api_key!)).join(', ')).toBe(
    'id, name, environment, prefix, expires_at, limit_per_minute, limit_per_hour, limit_per_day, endpoint_count, allowed_ip_count',
  );
});

test('GET developer/usage returns the fields the contract lists', () => {
  const fields = properties(schemaOf('GET developer/usage'));
  expect(Object.keys(fields).join(', ')).toBe(
    'key_id, key_name, environment, period, total_requests, successful_requests, client_errors, server_errors, rate_limited, ' +
      'error_rate, p50_ms, p95_ms, last_used_at, by_endpoint, by_error_code, series',
  );
  expect(Object.keys(properties(fields.period!))).toEqual(['from', 'to']);
  expect(Object.keys(properties(fields.by_endpoint!.items!))).toEqual(['endpoint', 'count', 'error_rate']);
  expect(Object.keys(properties(fields.by_error_code!.items!))).toEqual(['code', 'count']);
  expect(Object.keys(properties(fields.series!.items!))).toEqual(['at', 'count', 'errors']);
  expect(typeOf(fields.error_rate!)).toBe('number');
});

test('GET developer/request-logs returns the fields the contract lists', () => {
  expect(Object.keys(properties(schemaOf('GET developer/request-logs'))).join(', ')).toBe(
    'request_id, timestamp, method, path, endpoint, status, error_code, duration_ms, ip, user_agent, response_bytes, key_id, ' +
      'key_name, environment',
  );
});

test('each live endpoint takes the parameters of the specification and the contract', () => {
  const params = (rowId: string) => Object.keys(bodies.get(rowId)!.query ?? {});
  expect(params('GET vehicles')).toContain('status');
  expect(params('GET customers')).not.toContain('status');
  expect(params('GET account')).toEqual([]);
  expect(params('GET developer/rate-limit')).toEqual([]);
  expect(params('GET developer/usage')).toEqual(['from', 'to', 'group_by']);
  const log = ['from', 'to', 'status', 'method', 'endpoint', 'error_code', 'request_id'];
  expect(params('GET developer/request-logs').filter((name) => name !== 'offset')).toEqual(log);
});
