// The description of /sandbox/v1, a document of its own: the sandbox is not part of the catalog.
import { LICENSE, VERSION } from '../../../config.ts';
import { CEILINGS } from '../../../domain/worlds/ceilings.ts';
import { WORLD_DATA } from '../../../domain/worlds/world-states.ts';
import { ERRORS, type ErrorCode } from '../../../kit/errors.ts';
import type { ApiEndpoint } from '../../api/api-endpoints.ts';
import { componentsFor, parameterRef, refusalResponse, replyHeaders, unexpectedResponse } from './openapi-components.ts';
import { type Part, schemaRef, schemasOf } from './openapi-schemas.ts';

const text: Part = { type: 'string' };
const integer: Part = { type: 'integer' };
const instant: Part = { type: 'string', format: 'date-time' };
const uuid: Part = { type: 'string', format: 'uuid' };
const nullable = ({ type, ...rest }: Part): Part => ({ type: [type, 'null'], ...rest });
const record = (properties: Readonly<Record<string, Part>>): Part => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
const list = (items: Part): Part => ({ type: 'array', items });
const counts: Part = { type: 'object', additionalProperties: integer };
const CHANNELS: Part = { type: 'string', enum: ['E-posta', 'WhatsApp', 'SMS'] };
const both: Part = record({ en: text, tr: text });

const SCHEMAS: Readonly<Record<string, Part>> = {
  SandboxClock: record({
    now: { ...instant, description: 'Business time in the sandbox.' },
    status: { type: 'string', enum: ['ready', 'advancing', 'failed'] },
    started_at: instant,
    latest: { ...instant, description: 'The clock cannot be moved beyond it: five years after the beginning of the sandbox.' },
    move: {
      ...nullable(record({ from: nullable(instant), to: instant, transitions: counts })),
      description: 'Progress of the move, while it runs or after it failed.',
    },
    failure: { ...nullable(text), description: 'The transition that failed, and its error.' },
  }),
  SandboxWorld: record({
    id: uuid,
    data: { type: 'string', enum: WORLD_DATA },
    data_version: integer,
    created_at: instant,
    last_reset_at: nullable(instant),
    clock: schemaRef('SandboxClock'),
    counts: record(Object.fromEntries(Object.keys(CEILINGS).map((name) => [name, record({ count: integer, limit: integer })]))),
  }),
  SandboxClockMoved: record({
    from: instant,
    to: instant,
    transitions: { ...counts, description: 'How many records changed, by kind of change.' },
    events: { ...integer, description: 'Number of the dealer’s events emitted during the move.' },
  }),
  SandboxRule: record({
    act: text,
    name: both,
    decided_by: both,
    fields: list(record({ endpoint: text, field: text })),
    outcomes: list(record({ when: list(text), outcome: text, description: both })),
  }),
  SandboxMessage: record({
    id: uuid,
    channel: CHANNELS,
    to: text,
    subject: nullable(text),
    text,
    about: nullable(record({ kind: text, id: text })),
    attachments: list(record({ name: text, type: text, size_bytes: integer })),
    created_at: { ...instant, description: 'Business time in the sandbox.' },
  }),
};

const READ: readonly ErrorCode[] = [
  ...(['unknown_parameter', 'key_missing', 'key_malformed', 'key_invalid', 'key_revoked', 'key_expired'] as const),
  ...(['ip_not_allowed', 'sandbox_control_not_allowed', 'sandbox_not_enabled', 'not_found', 'method_not_allowed'] as const),
  ...(['rate_limit_exceeded', 'too_many_failed_attempts', 'service_unavailable'] as const),
];
const WRITE: readonly ErrorCode[] = [
  ...READ,
  ...(['invalid_json', 'idempotency_key_invalid', 'account_suspended', 'idempotency_in_progress', 'sandbox_reset'] as const),
  ...(['payload_too_large', 'unsupported_media_type', 'validation_failed', 'idempotency_key_reused'] as const),
];

interface Described {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly refuses: readonly ErrorCode[];
  readonly data: Part;
  readonly isList?: boolean;
  readonly parameters?: readonly Part[];
  readonly body?: Part;
}

function operationOf({ id, summary, description, refuses, data, isList = false, parameters = [], body }: Described): Part {
  const refusals = Map.groupBy(refuses, (code) => ERRORS[code].status);
  const reply = record({
    success: { type: 'boolean', const: true },
    data,
    meta: schemaRef(isList ? 'ListMeta' : 'Meta'),
  });
  const headers = body === undefined ? (isList ? ['Link'] : []) : ['Idempotent-Replayed'];
  const responses = Object.fromEntries(
    [...refusals].toSorted(([one], [other]) => one - other).map(([status, codes]) => [status, refusalResponse(status, codes)]),
  );
  return {
    operationId: id,
    tags: ['Sandbox'],
    summary,
    description,
    parameters: [...parameters, ...(body === undefined ? [] : [parameterRef('IdempotencyKey')]), parameterRef('AcceptLanguage')],
    ...(body === undefined ? {} : { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: {
      200: {
        description: isList ? 'A page of the list.' : 'The answer.',
        headers: replyHeaders(...headers),
        content: { 'application/json': { schema: reply } },
      },
      ...responses,
      default: unexpectedResponse,
    },
  };
}

const inQuery = (name: string, description: string, schema: Part): Part => ({ name, in: 'query', description, schema });

const PATHS: Readonly<Record<string, Readonly<Record<string, Part>>>> = {
  '/': {
    get: operationOf({
      id: 'getSandbox',
      summary: 'Read the sandbox',
      description: 'Returns the sandbox of the key’s account: its data, its clock, and its counts against the ceilings.',
      refuses: READ,
      data: schemaRef('SandboxWorld'),
    }),
  },
  '/reset': {
    post: operationOf({
      id: 'resetSandbox',
      summary: 'Reset the sandbox',
      description:
        'Replaces the sandbox with a new one under the same keys. Ids, cursors, ETags and links of the old one return 404 or 410.',
      refuses: WRITE,
      data: schemaRef('SandboxWorld'),
      body: {
        type: 'object',
        properties: {
          data: { type: 'string', enum: WORLD_DATA, default: 'sample' },
          keep_webhooks: { type: 'boolean', default: true },
        },
        additionalProperties: false,
      },
    }),
  },
  '/clock': {
    get: operationOf({
      id: 'getSandboxClock',
      summary: 'Read the clock',
      description: 'Returns the business time of the sandbox, and how far a move of the clock is.',
      refuses: READ,
      data: schemaRef('SandboxClock'),
    }),
    post: operationOf({
      id: 'moveSandboxClock',
      summary: 'Move the clock forward',
      description:
        'Moves the clock by `advance` (`30d`, `6h`, `45m`) or to the day or instant `to`. Everything that becomes due during the move happens in chronological order. Returns when all of it is committed; after an interruption, the same request continues.',
      refuses: [...WRITE, 'clock_moving', 'conflict', 'clock_moves_forward', 'clock_out_of_range'],
      data: schemaRef('SandboxClockMoved'),
      body: {
        type: 'object',
        properties: { advance: { type: 'string', pattern: '^[1-9]\\d{0,6}[dhm]$' }, to: text },
        additionalProperties: false,
        minProperties: 1,
        maxProperties: 1,
      },
    }),
  },
  '/rules': {
    get: operationOf({
      id: 'listSandboxRules',
      summary: 'List how the simulated side answers',
      description: 'Returns, for each action, what decides the response of simulated dealers, customers and the platform.',
      refuses: READ,
      data: list(schemaRef('SandboxRule')),
      isList: true,
    }),
  },
  '/messages': {
    get: operationOf({
      id: 'listSandboxMessages',
      summary: 'List mail and messages',
      description: 'Returns the mail and messages that production would have sent, newest first. The last 500 are kept.',
      refuses: [...READ, 'invalid_parameter'],
      data: list(schemaRef('SandboxMessage')),
      isList: true,
      parameters: [
        inQuery('limit', 'Messages in a page.', { ...integer, minimum: 1, maximum: 100, default: 25 }),
        inQuery('offset', 'Messages to skip.', { ...integer, minimum: 0, default: 0 }),
        inQuery('channel', 'Only messages of this channel.', CHANNELS),
        inQuery('to', 'Only messages to this address or phone number.', { ...text, maxLength: 300 }),
      ],
    }),
  },
};

export function buildSandboxOpenApi(endpoints: readonly ApiEndpoint[], publicUrl: string): Part {
  const base = publicUrl.replace(/(?<!\/)\/+$/, '');
  const { components } = schemasOf(endpoints);
  const schemas = { ...components, ...SCHEMAS } as typeof components;
  return {
    openapi: '3.1.1',
    info: {
      title: 'Galeri sandbox',
      version: VERSION,
      summary: 'Control of the isolated sandbox of an account.',
      description: `Reset, clock, rules and messages of the sandbox. The API itself is described by [/openapi.json](${base}/openapi.json); with a sandbox key it reads and writes the sandbox. The guide is at [/docs#sandbox](${base}/docs#sandbox).`,
      license: { name: LICENSE, identifier: LICENSE },
      contact: { name: 'Galeri', url: `${base}/docs` },
    },
    externalDocs: { description: 'Guide in English and Turkish', url: `${base}/docs#sandbox` },
    servers: [{ url: `${base}/sandbox/v1` }],
    security: [{ apiKey: [] }],
    tags: [{ name: 'Sandbox', description: 'The isolated sandbox of an account.' }],
    paths: PATHS,
    components: {
      ...componentsFor(Object.values(PATHS).flatMap(Object.values<Part>), schemas),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A sandbox key that holds at least one writing endpoint: `Authorization: Bearer <API_KEY>`.',
        },
      },
    },
  };
}
