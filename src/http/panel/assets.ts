// The built web panel from disk: compressed when it was built, never while it is served.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLru } from '../wire/lru.ts';
import type { Reply } from '../wire/reply.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'dist', 'panel');

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  webp: 'image/webp',
  ico: 'image/x-icon',
  html: 'text/html; charset=utf-8',
};

/** Their names hold the hash of their content: fetched once, kept for good. */
const FOREVER = 'public, max-age=31536000, immutable';
const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/** What was packed when it was built: its name, its ending, and how a browser says that it takes it (not with a weight of nothing). */
const PACKINGS = [
  ['br', 'br', /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/],
  ['gzip', 'gz', /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/],
] as const;

export interface PanelAssets {
  /** `assets/index-BfJTA7mQ.js`; null where there is no such file. */
  asset(path: string, accepts: string): Promise<Reply | null>;
  /** The page that starts the panel; null while it is not built. */
  index(accepts: string): Promise<Reply | null>;
}

export function createPanelAssets(folder: string = FOLDER): PanelAssets {
  const kept = createLru<{ body: Buffer }>(MAX_KEPT_BYTES);
  const fileOf = async (path: string): Promise<Buffer | null> => {
    const known = kept.get(path);
    if (known !== undefined) return known.body;
    const body = await readFile(join(folder, path)).catch(() => null);
    // The start page changes with every build; all others have a new name then.
    if (body !== null && path.startsWith('assets/')) kept.set(path, { body }, body.length);
    return body;
  };
  const fileReply = async (path: string, accepts: string, cache: string): Promise<Reply | null> => {
    const type = TYPES[path.slice(path.lastIndexOf('.') + 1)];
    if (type === undefined) return null;
    const headers = ['Content-Type', type, 'Cache-Control', cache, 'Vary', 'Accept-Encoding'];
    for (const [encoding, ending, wanted] of PACKINGS) {
      const body = wanted.test(accepts) ? await fileOf(`${path}.${ending}`) : null;
      if (body !== null) return { status: 200, headers: [...headers, 'Content-Encoding', encoding], body, errorCode: null };
    }
    const body = await fileOf(path);
    return body === null ? null : { status: 200, headers, body, errorCode: null };
  };
  return {
    asset: async (path, accepts) => (/^assets\/[\w-][\w.-]*$/.test(path) ? fileReply(path, accepts, FOREVER) : null),
    index: (accepts) => fileReply('index.html', accepts, 'no-cache'),
  };
}
