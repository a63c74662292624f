// The description as a Postman collection (v2.1, which Bruno and Insomnia read too): the rows that are open, ready to send with nothing but the
// key filled in. What is coming is in the description itself. Writes come as dry runs, so that no request sent to try it changes anything.
import type { Part } from './openapi-schemas.ts';

// biome-ignore lint/suspicious/noExplicitAny: the description is looked into at many places
type Any = any;

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

export function postmanOf(description: Part): Part {
  const { info, servers, paths, tags } = description as Any;
  const operations: Any[] = Object.entries<Any>(paths).flatMap(([path, methods]) =>
    Object.entries<Any>(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );
  const open = operations.filter((operation) => operation['x-status'] === 'Aktif');
  const folders = (tags as Any[]).map((tag) => ({
    name: tag.name,
    description: inBoth(tag),
    item: open.filter((operation) => operation.tags[0] === tag.name).map((operation) => itemOf(operation, description)),
  }));
  return {
    info: { name: info.title, version: info.version, description: info.description, schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: servers[0].url },
      { key: 'apiKey', value: '' },
    ],
    item: folders.filter(({ item }) => item.length > 0),
  };
}

const inBoth = (part: Any): string => [part.description, part['x-description-tr']].filter(Boolean).join('\n\n');

function itemOf(operation: Any, description: Part): Part {
  const request = requestOf(operation, description);
  const [status, reply] = Object.entries<Any>(operation.responses).find(([code]) => code.startsWith('2'))!;
  const example = reply.content?.['application/json'].example;
  const saved = {
    name: operation.summary,
    originalRequest: request,
    code: Number(status),
    header: [{ key: 'Content-Type', value: 'application/json' }],
    body: text(example),
    _postman_previewlanguage: 'json',
  };
  return { name: operation.summary, request, response: example === undefined ? [] : [saved] };
}

function requestOf(operation: Any, description: Part): Part {
  const { components } = description as Any;
  const parameters: Any[] = operation.parameters.map((one: Any) =>
    one.$ref === undefined ? one : components.parameters[one.$ref.split('/').at(-1)],
  );
  const of = (place: string) => parameters.filter((one) => one.in === place);
  const query = of('query').map((one) => filled(one, one.example ?? '', one.required === true));
  const body = operation.requestBody?.content['application/json'];
  const path = operation.path.slice(1).replace(/\{(\w+)\}/g, ':$1');
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  return {
    method: operation.method,
    description: inBoth(operation),
    header: of('header').map((one) => filled(one, HEADERS[one.name] ?? '', SENT.includes(one.name))),
    url: {
      raw: `{{baseUrl}}/${path}${sent.length === 0 ? '' : `?${sent.join('&')}`}`,
      host: ['{{baseUrl}}'],
      path: path.split('/'),
      query,
      variable: of('path').map((one) => ({ key: one.name, value: one.example ?? '', description: inBoth(one) })),
    },
    ...(body === undefined ? {} : { body: { mode: 'raw', raw: text(body.example), options: { raw: { language: 'json' } } } }),
  };
}

/** Those that are off stand there to be switched on. */
const SENT = ['Idempotency-Key', 'X-Dry-Run'];
const HEADERS: Readonly<Record<string, string>> = {
  'Idempotency-Key': '{{$guid}}',
  'X-Dry-Run': 'true',
  'Accept-Language': 'tr',
};

const filled = (parameter: Any, value: string, isOn: boolean) => ({
  key: parameter.name as string,
  value,
  description: inBoth(parameter),
  ...(isOn ? {} : { disabled: true }),
});

const text = (value: unknown): string => JSON.stringify(value ?? {}, null, 2);
