// Sample requests and replies, made from the endpoint's own shape, for the reference page and the panel's catalog.
import { offsetTimestamp } from '../../kit/clock.ts';
import { type JsonSchema, resolve, type WireSchema } from './json-schema.ts';

export const SAMPLE_AT = new Date('2026-11-14T21:03:11.482Z');
const ID = '0199f3a2-6c1e-7b40-9d52-3f8a1e64c7b9';
export const SAMPLE_META = {
  request_id: 'req_01kd2x7v9m4q8r3t6w5y1z0abc',
  timestamp: offsetTimestamp(SAMPLE_AT),
  api_version: 'v1',
};

/** Realistic values for samples; a field that is not listed gets any value of its type. */
const VALUES: Readonly<Record<string, unknown>> = {
  model_year: 2018,
  km: 84500,
  price: '14250.00',
  currency: 'STG',
  is_marketplace_visible: true,
  first_name: 'Ayşe',
  last_name: 'Yılmaz',
  phone: '+905338412207',
  email: 'ayse@ornek.com',
  risk_level: 'low',
  name: 'Merkez Oto',
  legal_name: 'Merkez Oto Ltd.',
  city: 'Lefkoşa',
  key_name: 'Web sitesi',
  'api_key.name': 'Web sitesi',
  limit_per_minute: 60,
  used_in_last_minute: 19,
  remaining: 41,
  window_seconds: 60,
  limit_per_hour: null,
  limit_per_day: null,
  expires_at: null,
  endpoint_count: 6,
  allowed_ip_count: 0,
  total_requests: 1840,
  successful_requests: 1831,
  client_errors: 9,
  server_errors: 0,
  rate_limited: 4,
  error_rate: 0.0049,
  p50_ms: 3.1,
  p95_ms: 9.8,
  count: 120,
  errors: 1,
  code: 'rate_limit_exceeded',
  request_id: SAMPLE_META.request_id,
  method: 'GET',
  path: '/api/v1/vehicles',
  endpoint: 'GET vehicles',
  error_code: null,
  duration_ms: 3.214,
  ip: '203.0.113.7',
  user_agent: 'curl/8.14.1',
  response_bytes: 9412,
  status: 200,
};

export function sampleOf(wire: WireSchema): unknown {
  const made = (found: JsonSchema, name: string, parent: string, depth: number): unknown => {
    const schema = resolve(firstShape(found), wire);
    const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
    if (type === 'object') {
      if (depth > 4) return {};
      const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
      return Object.fromEntries(fields.map(([field, inner]) => [field, made(inner, field, name, depth + 1)]));
    }
    if (type === 'array') return depth > 4 ? [] : [made((schema.items ?? {}) as JsonSchema, name, parent, depth + 1)];
    return plainValue(schema, String(type), Object.hasOwn(VALUES, `${parent}.${name}`) ? `${parent}.${name}` : name);
  };
  return made(wire.root, '', '', 0);
}

/** Where a value may have several shapes, the sample shows the first. */
function firstShape(schema: JsonSchema): JsonSchema {
  const [first, second] = (schema.anyOf ?? []) as JsonSchema[];
  return first?.type === 'object' && second?.type === 'object' ? first : schema;
}

function plainValue(schema: JsonSchema, type: string, name: string): unknown {
  const values = schema.enum as unknown[] | undefined;
  if (schema.const !== undefined) return schema.const;
  if (Object.hasOwn(VALUES, name) && fits(VALUES[name], schema)) return VALUES[name];
  if (values !== undefined) return values[0];
  const examples = schema.examples as unknown[] | undefined;
  if (examples?.[0] !== undefined) return examples[0];
  if (schema.format === 'uuid') return ID;
  if (schema.format === 'date-time') return SAMPLE_AT.toISOString();
  if (schema.format === 'date') return SAMPLE_AT.toISOString().slice(0, 10);
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return 1;
  return type === 'null' ? null : 'metin';
}

function fits(value: unknown, { type, enum: values }: JsonSchema): boolean {
  const kind = value === null ? 'null' : Number.isInteger(value) ? 'integer' : typeof value;
  const types = [type].flat();
  const isKind = types.includes(kind) || (kind === 'integer' && types.includes('number'));
  return isKind && (values === undefined || (values as unknown[]).includes(value));
}

/** A path with its parameters filled in. */
export const samplePath = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => (name.endsWith('_id') ? ID : 'STG-TL'));
