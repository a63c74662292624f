// The descriptions for programs, /openapi.json and /postman.json. Each is made once for a set of endpoints and their release status, and kept as it
// is sent. Making one takes up to a third of a second, so it pauses for other requests every few milliseconds, and accounts take turns.
import { setImmediate as otherRequests } from 'node:timers/promises';
import { createSemaphore } from '../../../domain/sharing/semaphore.ts';
import type { ApiEndpoint } from '../../api/api-endpoints.ts';
import { createLru } from '../../wire/lru.ts';
import { PackedPage } from '../per-release-cache.ts';
import { buildOpenApi, keptOperationOf, type OpenApiOptions } from './openapi.ts';
import { postmanOf } from './postman.ts';

export type DescriptionKind = 'openapi' | 'postman';

export interface Descriptions {
  /** `owner`: the account whose key asks, or the network of a caller without a key. */
  get(kind: DescriptionKind, options: OpenApiOptions, owner: string): Promise<PackedPage>;
}

/** Packed, a description of all endpoints has 150 kB. */
const MAX_KEPT_BYTES = 12 * 1024 * 1024;
const PAUSE_AFTER_MS = 5;

export function createDescriptions(endpoints: readonly ApiEndpoint[]): Descriptions {
  const kept = createLru<PackedPage>(MAX_KEPT_BYTES);
  const inWork = new Map<string, Promise<PackedPage>>();
  const turns = createSemaphore({ atOnce: 1, waiting: 200, waitingEach: 10, what: 'descriptions' });
  const make = async (key: string, kind: DescriptionKind, options: OpenApiOptions): Promise<PackedPage> => {
    const page = await PackedPage.of(await textOf(kind, endpoints, options));
    kept.set(key, page, page.packed.length);
    return page;
  };
  return {
    async get(kind, options, owner) {
      const { isLive, today, publicUrl, only = () => true } = options;
      const status = endpoints.map((endpoint) => (only(endpoint) ? (isLive(endpoint.id) ? '2' : '1') : '0')).join('');
      const key = `${kind} ${today} ${publicUrl} ${status}`;
      const found = kept.get(key) ?? inWork.get(key);
      if (found !== undefined) return found;
      const made = turns.take(owner, () => make(key, kind, options)).finally(() => inWork.delete(key));
      inWork.set(key, made);
      return made;
    },
  };
}

async function textOf(kind: DescriptionKind, endpoints: readonly ApiEndpoint[], options: OpenApiOptions): Promise<string> {
  const pause = createPauses();
  const { only = () => true } = options;
  for (const endpoint of endpoints.filter(only)) {
    keptOperationOf(endpoints, endpoint, options);
    await pause();
  }
  const document = buildOpenApi(endpoints, options);
  await pause();
  return jsonOf(kind === 'postman' ? postmanOf(document) : document, 3, pause);
}

type Pause = () => Promise<void>;

function createPauses(): Pause {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < PAUSE_AFTER_MS) return;
    await otherRequests();
    since = performance.now();
  };
}

/** The same text as JSON.stringify, with pauses between the parts of the outer `depth` levels. */
async function jsonOf(value: unknown, depth: number, pause: Pause): Promise<string> {
  if (depth === 0 || typeof value !== 'object' || value === null) {
    await pause();
    return JSON.stringify(value);
  }
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const one of value) parts.push(await jsonOf(one, depth - 1, pause));
    return `[${parts.join(',')}]`;
  }
  for (const [name, one] of Object.entries(value))
    if (one !== undefined) parts.push(`${JSON.stringify(name)}:${await jsonOf(one, depth - 1, pause)}`);
  return `{${parts.join(',')}}`;
}
