// Names of operations and schemas, from method and path alone: they end up as method and type names in generated clients, so a
// endpoint's name must not change when its body is built or another endpoint is added.
import type { Method } from '../../../kit/endpoint.ts';

interface Named {
  readonly method: Method;
  readonly path: string;
}

/** Collections whose name is not a plural. */
const UNCOUNTABLE = new Set(['activity']);

const VERBS = { GET: 'get', PATCH: 'update', DELETE: 'delete' } as const;

/**
 * `GET vehicles/{vehicle_id}/history` → `getVehicleHistory`, `POST vehicles` → `createVehicle`, `POST …/publish` →
 * `publishVehicle`.
 */
export function operationIdOf({ method, path }: Named): string {
  const nouns = nounsOf(path);
  if (method !== 'POST') return VERBS[method] + nouns.map(pascal).join('');
  const last = nouns.pop()!;
  const container = nouns.map(pascal).join('');
  if (UNCOUNTABLE.has(last)) return `create${container}${pascal(last)}`;
  if (last.endsWith('s')) return `create${container}${pascal(singular(last))}`;
  const [verb, ...rest] = last.split('-') as [string, ...string[]];
  const object = rest.map(pascal).join('');
  // `markVehicleSold` of one record, `bulkCreateVehicles` of all.
  return path.includes(`}/${last}`) ? verb + container + object : verb + object + container;
}

/** The shape an endpoint answers with: `GET vehicles` → `Vehicle`, `GET vehicles/{vehicle_id}` → `VehicleDetail`. */
export function schemaNameOf({ method, path }: Named, isList: boolean): string {
  const nouns = nounsOf(path);
  const last = nouns.pop()!;
  const item = [...nouns, isList ? singular(last) : last].map(pascal).join('');
  if (method === 'GET') return path.endsWith('}') ? `${item}Detail` : item;
  const id = operationIdOf({ method, path });
  return `${id[0]!.toUpperCase()}${id.slice(1)}Result`;
}

/** The nouns of a path; a noun followed by a parameter becomes singular (`vehicles/{vehicle_id}` → vehicle). */
function nounsOf(path: string): string[] {
  const segments = path.split('/');
  return segments.flatMap((segment, index) => {
    if (segment.startsWith('{')) return [];
    return [segments[index + 1]?.startsWith('{') === true ? singular(segment) : segment];
  });
}

export function singular(noun: string): string {
  if (/series$/i.test(noun)) return noun;
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  if (noun.endsWith('ches')) return noun.slice(0, -2);
  return noun.endsWith('s') && !noun.endsWith('ss') ? noun.slice(0, -1) : noun;
}

export const pascal = (words: string): string =>
  words
    .split(/[-_]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
