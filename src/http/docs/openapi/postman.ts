// The description as a Postman collection (v2.1, which Bruno reads too): the open endpoints, ready to send once the key is
// filled in. Endpoints that are not released yet are in the description only. Writes are dry runs, so that trying a request changes nothing.
import type { Part } from './openapi-schemas.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** What is read of the description. */
interface Description {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly [{ readonly url: string }];
  readonly tags: readonly (Worded & { readonly name: string })[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters?: Readonly<Record<string, Parameter>> };
}

interface Worded {
  readonly description?: string;
  readonly 'x-description-tr'?: string;
}

interface Operation extends Worded {
  readonly summary: string;
  readonly tags: readonly [string];
  readonly 'x-status': string;
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: Exampled;
  readonly responses: Readonly<Record<string, Exampled>>;
}

interface Parameter extends Worded {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly example?: string;
}

interface Exampled {
  readonly content?: {
    readonly 'application/json'?: { readonly example?: unknown };
    readonly 'multipart/form-data'?: { readonly 'x-example'?: Readonly<Record<string, string>> };
  };
}

export function postmanOf(description: Part): Part {
  const { info, servers, tags, paths, components } = description as unknown as Description;
  const items = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation['x-status'] === 'Aktif')
      .map(([method, operation]) => ({ tag: operation.tags[0], item: itemOf(method, path, operation, components.parameters) })),
  );
  const folders = tags.map((tag) => ({
    name: tag.name,
    description: inBoth(tag),
    item: items.filter((one) => one.tag === tag.name).map(({ item }) => item),
  }));
  return {
    info: { name: info.title, version: info.version, description: info.description, schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: servers[0].url },
      { key: 'apiKey', value: '' },
    ],
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: ASSERTIONS } }],
    item: folders.filter(({ item }) => item.length > 0),
  };
}

/** Run after every request, so that a runner such as newman fails if one is refused. */
const ASSERTIONS = [
  "pm.test('succeeds', () => pm.expect(pm.response.code, pm.response.text().slice(0, 500)).to.be.within(200, 299));",
  "pm.test('has the envelope', () => pm.expect(pm.response.json()).to.include({ success: true }).and.to.have.any.keys('data', 'meta'));",
];

const inBoth = (part: Worded): string => [part.description, part['x-description-tr']].filter(Boolean).join('\n\n');

function itemOf(method: string, path: string, operation: Operation, shared: Description['components']['parameters'] = {}): Part {
  const parameters = operation.parameters.map((one) => ('$ref' in one ? shared[one.$ref.split('/').at(-1)!]! : one));
  const request = {
    method: method.toUpperCase(),
    description: inBoth(operation),
    header: parameters.filter((one) => one.in === 'header').map(headerOf),
    url: urlOf(path, parameters),
    ...bodyOf(operation.requestBody),
  };
  const [status, reply] = Object.entries(operation.responses).find(([code]) => code.startsWith('2'))!;
  const saved = {
    name: operation.summary,
    originalRequest: request,
    code: Number(status),
    header: [{ key: 'Content-Type', value: 'application/json' }],
    body: exampleIn(reply),
    _postman_previewlanguage: 'json',
  };
  return { name: operation.summary, request, response: [saved] };
}

function urlOf(path: string, parameters: readonly Parameter[]): Part {
  const query = parameters
    .filter((one) => one.in === 'query')
    .map((one) => ({ ...entry(one, one.example ?? ''), ...(one.required ? {} : OFF) }));
  const sent = query.filter((one) => !('disabled' in one)).map(({ key, value }) => `${key}=${value}`);
  const written = path.slice(1).replace(/\{(\w+)\}/g, ':$1');
  return {
    raw: `{{baseUrl}}/${written}${sent.length === 0 ? '' : `?${sent.join('&')}`}`,
    host: ['{{baseUrl}}'],
    path: written.split('/'),
    query,
    variable: parameters.filter((one) => one.in === 'path').map((one) => entry(one, one.example ?? '')),
  };
}

/** Optional parameters are included but disabled. */
const OFF = { disabled: true };
const SENT: Readonly<Record<string, string>> = { 'Idempotency-Key': '{{$guid}}', 'X-Dry-Run': 'true' };

const headerOf = (header: Parameter): Part => ({ ...entry(header, SENT[header.name] ?? ''), ...(SENT[header.name] ? {} : OFF) });

const entry = (parameter: Parameter, value: string) => ({ key: parameter.name, value, description: inBoth(parameter) });

/** JSON if the endpoint takes it; otherwise a form with a file from the collection's folder. */
function bodyOf(body: Exampled | undefined): Part {
  if (body === undefined) return {};
  const form = body.content?.['multipart/form-data']?.['x-example'];
  if (form === undefined || body.content?.['application/json'] !== undefined)
    return { body: { mode: 'raw', raw: exampleIn(body), options: { raw: { language: 'json' } } } };
  const parts = Object.entries(form).map(([key, value]) =>
    key === 'file' ? { key, type: 'file', src: value } : { key, type: 'text', value },
  );
  return { body: { mode: 'formdata', formdata: parts } };
}

const exampleIn = ({ content }: Exampled): string => JSON.stringify(content?.['application/json']?.example ?? {}, null, 2);
