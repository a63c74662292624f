// What to say about a path that is not in the catalog: the endpoint that was probably meant.
import type { Catalog } from '../../domain/catalog/catalog.ts';
import { distanceOf, nearestName } from '../../domain/formats/nearest.ts';
import type { Text } from '../../kit/errors.ts';
import type { ApiEndpoint } from './api-endpoints.ts';

/** Longer paths are compared with no endpoint. */
const MAX_LENGTH = 200;

interface Asked {
  readonly method: string;
  readonly path: string;
}

/** Names only catalogued paths, never the caller's text. */
export function unknownPathHint(catalog: Catalog<ApiEndpoint>, { method, path }: Asked): Text | undefined {
  if (path.length > MAX_LENGTH) return undefined;
  const clean = path.split('/').filter(Boolean).join('/');
  if (clean !== path && catalog.match(clean) !== null) return SLASHES;
  const nearest = nearestEndpoint(catalog.endpoints, method, clean);
  return nearest === null ? undefined : { en: `the nearest endpoint is ${nearest.id}`, tr: `en yakın uç nokta ${nearest.id}` };
}

const SLASHES: Text = {
  en: 'remove the trailing or double slash from the path',
  tr: 'yolların sonunda eğik çizgi ve içinde boş bölüm olmaz; kaldırın',
};

/** Of the same number of parts, the most similar; otherwise the one that the path begins with. The same method is preferred. */
function nearestEndpoint(endpoints: readonly ApiEndpoint[], method: string, path: string): ApiEndpoint | null {
  const asked = path.replace(/\.php$/, '').split('/');
  // The same parts are in many paths.
  const similar = new Map<string, boolean>();
  const isSimilar = (given: string, part: string): boolean => {
    const pair = `${given}/${part}`;
    const known = similar.get(pair) ?? nearestName(given, [part]) !== null;
    similar.set(pair, known);
    return known;
  };
  let best: { readonly endpoint: ApiEndpoint; readonly score: number } | null = null;
  for (const endpoint of endpoints) {
    const distance = distanceOfParts(asked, endpoint.path.split('/'), isSimilar);
    if (distance === null) continue;
    const score = distance + (endpoint.method === method ? 0 : 0.5);
    if (best === null || score < best.score) best = { endpoint, score };
  }
  return best?.endpoint ?? null;
}

/** Each part that is missing or too many counts as this many wrong letters. */
const PART = 4;

type IsSimilar = (given: string, part: string) => boolean;

function distanceOfParts(asked: readonly string[], parts: readonly string[], isSimilar: IsSimilar): number | null {
  if (!isSimilar(asked[0]!, parts[0]!)) return null;
  let distance = PART * Math.abs(asked.length - parts.length);
  for (const [index, part] of parts.entries()) {
    const given = asked[index];
    if (given === undefined) break;
    if (part.startsWith('{')) {
      // Words are rarely ids: `vehicles/exports` is not the vehicle «exports».
      distance += /\d/.test(given) ? 0 : 2;
    } else if (isSimilar(given, part)) distance += distanceOf(given.toLowerCase(), part);
    else distance += PART;
  }
  return distance;
}
