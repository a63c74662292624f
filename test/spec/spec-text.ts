// docs/spec.md read as data: the specification of the catalog, apart from the code that implements it.
import { readFileSync } from 'node:fs';

export interface SpecEndpoint {
  readonly category: string;
  readonly method: string;
  readonly path: string;
  readonly scope: string;
  readonly risk: string;
  readonly status: string;
  /** `GET vehicles` */
  readonly id: string;
}

const text = readFileSync(new URL('../../docs/spec.md', import.meta.url), 'utf8');

function section(from: string, to: string): string {
  const start = text.indexOf(`\n${from}\n`);
  const end = text.indexOf(`\n${to}\n`, start);
  if (start < 0 || end < 0) throw new Error(`docs/spec.md has no part from "${from}" to "${to}"`);
  return text.slice(start, end);
}

function readCatalog(): SpecEndpoint[] {
  const endpoints: SpecEndpoint[] = [];
  let category = '';
  for (const line of section('### Catalog', '## Authentication').split('\n')) {
    if (line.startsWith('#### ')) category = line.slice(5).trim();
    if (!/^\| *(GET|POST|PUT|PATCH|DELETE) /.test(line)) continue;
    const [method, path, scope, risk, status] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()) as [string, string, string, string, string];
    endpoints.push({ category, method, path, scope, risk, status, id: `${method} ${path}` });
  }
  return endpoints;
}

export const specEndpoints: readonly SpecEndpoint[] = readCatalog();
export const specCategories: readonly string[] = [...new Set(specEndpoints.map((endpoint) => endpoint.category))];

/** The resources of scope names, as "Authentication 4" lists them. */
export const specScopeResources: readonly string[] = /Resources: ([a-z, -]+)\./
  .exec(section('## Authentication', '## Events'))![1]!
  .split(', ');

/** Template → the words of its scope set. */
export const specTemplates: ReadonlyMap<string, string> = new Map(
  section('## Authentication', '## Events')
    .split('\n')
    .filter((line) => /^\| *\w/.test(line) && !/^\| *Template /.test(line))
    .map((line) => line.split('|').slice(1, 3))
    .map(([name, words]) => [name!.trim(), words!.trim()]),
);

/** A path with every parameter replaced. */
export const filled = (path: string, value: string): string => path.replace(/\{\w+\}/g, value);
