// The reference changes only with the release status, and anyone may request it, so each page is made once per release and kept as it is
// sent: compressed, with its ETag.
import { promisify } from 'node:util';
import { gunzipSync, gzip, gzipSync } from 'node:zlib';
import type { ApiEndpoint } from '../api/api-endpoints.ts';
import { strongEtag } from '../api/response-cache.ts';

export class PackedPage {
  readonly packed: Buffer;
  readonly etag: string;
  constructor(text: string, packed?: Buffer) {
    const plain = Buffer.from(text);
    this.etag = strongEtag(plain);
    this.packed = packed ?? gzipSync(plain);
  }
  /** Compresses in another thread. */
  static async of(text: string): Promise<PackedPage> {
    return new PackedPage(text, await gzipInThread(text));
  }
  /** For the few clients that do not take gzip. */
  get plain(): Buffer {
    return gunzipSync(this.packed);
  }
}

const gzipInThread = promisify(gzip);

const kept = new WeakMap<readonly ApiEndpoint[], Map<string, PackedPage>>();

/** Every page in two languages, as HTML and as Markdown; twice that while the release status is changing. */
const MAX_KEPT = 320;

/** `name` must come from a fixed list, never from the request. */
export function keptPerRelease(
  endpoints: readonly ApiEndpoint[],
  isLive: (endpointId: string) => boolean,
  name: string,
  make: () => string,
): PackedPage {
  const ofEndpoints = kept.get(endpoints) ?? new Map<string, PackedPage>();
  kept.set(endpoints, ofEndpoints);
  const key = `${name} ${endpoints.map(({ id }) => (isLive(id) ? '1' : '0')).join('')}`;
  const found = ofEndpoints.get(key);
  if (found !== undefined) return found;
  if (ofEndpoints.size >= MAX_KEPT) ofEndpoints.clear();
  const made = new PackedPage(make());
  ofEndpoints.set(key, made);
  return made;
}
