// Serves the built panel from disk. Files are compressed at build time, never while serving.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLru } from '../wire/lru.ts';
import type { Reply } from '../wire/reply.ts';
import { FIRST_SCREENS } from './first-screens.ts';

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
  webmanifest: 'application/manifest+json; charset=utf-8',
};

/** The names contain a hash of the content, so browsers may keep the files for ever. */
const FOREVER = 'public, max-age=31536000, immutable';
const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/** Encodings made at build time: name, file extension, and how Accept-Encoding allows it (but not with q=0). */
const PACKINGS = [
  ['br', 'br', /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/],
  ['gzip', 'gz', /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/],
] as const;

export interface PanelAssets {
  /** `assets/index-BfJTA7mQ.js`; null where there is no such file. */
  asset(path: string, accepts: string): Promise<Reply | null>;
  /** The start page of the panel for a path after `/panel/`; null while the panel is not built. */
  index(path: string, accepts: string): Promise<Reply | null>;
}

export function createPanelAssets(folder: string = FOLDER): PanelAssets {
  const kept = createLru<{ body: Buffer }>(MAX_KEPT_BYTES);
  const fileOf = async (path: string): Promise<Buffer | null> => {
    const known = kept.get(path);
    if (known !== undefined) return known.body;
    const body = await readFile(join(folder, path)).catch(() => null);
    // Only assets are cached: the start page keeps its name when a new build changes it.
    if (body !== null && path.startsWith('assets/')) kept.set(path, { body }, body.length);
    return body;
  };
  const fileReply = async (path: string, accepts: string, cache: string): Promise<Reply | null> => {
    const type = TYPES[path.slice(path.lastIndexOf('.') + 1)];
    if (type === undefined) return null;
    const headers = ['Content-Type', type, 'Cache-Control', cache, 'Vary', 'Accept-Encoding'];
    for (const [encoding, ending, accepted] of PACKINGS) {
      const body = accepted.test(accepts) ? await fileOf(`${path}.${ending}`) : null;
      if (body !== null) return { status: 200, headers: [...headers, 'Content-Encoding', encoding], body, errorCode: null };
    }
    const body = await fileOf(path);
    return body === null ? null : { status: 200, headers, body, errorCode: null };
  };
  return {
    asset: async (path, accepts) => (/^assets\/[\w-][\w.-]*$/.test(path) ? fileReply(path, accepts, FOREVER) : null),
    index: async (path, accepts) => {
      const screen = FIRST_SCREENS.find((one) => one.path.test(path));
      const own = screen === undefined ? null : await fileReply(`index.${screen.name}.html`, accepts, 'no-cache');
      return own ?? fileReply('index.html', accepts, 'no-cache');
    },
  };
}
