// Bruno's own import of the served collection and of the description: every endpoint arrives, and no header is sent empty.
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { buildOpenApi } from '../../src/http/docs/openapi/openapi.ts';
import { postmanOf } from '../../src/http/docs/openapi/postman.ts';
import { resources } from '../../src/resources/index.ts';
import { areToolsMissing } from './tools.ts';

interface Item {
  readonly type: string;
  readonly items?: readonly Item[];
  readonly request?: {
    readonly headers: readonly { readonly name: string; readonly value: string; readonly enabled: boolean }[];
  };
}

const endpoints = apiEndpoints(resources).filter(({ body }) => body !== null);
const description = buildOpenApi(endpoints, { publicUrl: 'https://galeri.test', isLive: () => true, today: '2026-11-19' });
const requestsIn = (items: readonly Item[]): Item[] => items.flatMap((item) => (item.items ? requestsIn(item.items) : [item]));

describe.skipIf(areToolsMissing())("Bruno's import", () => {
  it.each([
    ['postmanToBruno', postmanOf(description)],
    ['openApiToBruno', description],
  ])('has every endpoint once: %s', async (name, document) => {
    const made = await createRequire(import.meta.url)('@usebruno/converters')[name](structuredClone(document));
    const collection: { items: Item[] } = made.collection ?? made;
    const requests = requestsIn(collection.items);
    expect(requests).toHaveLength(endpoints.length);
    const empty = requests.flatMap(({ request }) => request!.headers).filter(({ enabled, value }) => enabled && value === '');
    expect(empty).toEqual([]);
  });
});
