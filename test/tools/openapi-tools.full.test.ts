// How other tools use /openapi.json: two linters have no findings, three generators build clients that compile under strict.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { areToolsMissing, type Bench, describeInto, openBench } from './tools.ts';

/** Both are the specification's paths. No request can match both: event_id is a uuid, `lots` is not. */
const TWO_PATHS = '`/live-auctions/{event_id}/lots` and `/live-auctions/lots/{lot_id}`';

describe.skipIf(areToolsMissing())('the description', () => {
  let bench: Bench;
  let shipped: string;
  let all: string;

  beforeAll(async () => {
    bench = await openBench();
    [shipped, all] = await Promise.all([describeInto(bench.folder, 'shipped'), describeInto(bench.folder, 'all')]);
    await writeFile(join(bench.folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');
  });
  afterAll(() => bench?.close());

  it.each(['shipped', 'all'])('%s has no finding of Redocly except one pair of paths', async (which) => {
    const output = await bench.run(
      'redocly',
      'lint',
      '--extends',
      'recommended',
      '--format',
      'json',
      which === 'all' ? all : shipped,
    );
    const { problems } = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)) as {
      problems: { message: string }[];
    };
    expect(problems.map(({ message }) => message).filter((message) => !message.includes(TWO_PATHS))).toEqual([]);
    expect(problems.length).toBeLessThanOrEqual(1);
  });

  // Each takes long, so only one of the two: endpoints that are not open return more, not less.
  it('has no finding of Spectral', async () => {
    const bundled = join(bench.folder, 'inlined-once.json');
    await writeFile(bundled, inlinedOnce(JSON.parse(await readFile(shipped, 'utf8'))));
    const output = await bench.run('spectral', 'lint', '--fail-severity', 'hint', '--ruleset', '.spectral.yaml', bundled);
    expect(output).toContain('No results with a severity of');
  });

  it('builds clients of three generators that compile under strict', async () => {
    await Promise.all([
      bench.run('openapi-typescript', all, '--enum', '--output', 'openapi-typescript.ts'),
      bench.run('openapi-ts', '--input', all, '--output', 'hey-api', '--client', '@hey-api/client-fetch'),
      bench.run('orval', '--input', all, '--output', 'orval/api.ts', '--client', 'fetch', '--mode', 'split'),
    ]);
    await writeFile(join(bench.folder, 'use.ts'), USE);
    await writeFile(
      join(bench.folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: STRICT, include: ['**/*.ts'], exclude: ['node_modules'] }),
    );
    expect(await bench.run('tsc', '-p', '.')).toBe('');
    // What we know is typed: no field of ours is `unknown`.
    for (const file of ['hey-api/types.gen.ts', 'orval/api.schemas.ts']) {
      const lines = (await readFile(join(bench.folder, file), 'utf8')).split('\n');
      expect(
        lines.filter((line) => /^\s*'?[a-z]\w*'?\??: unknown;?$/i.test(line) && !/\b(body|path|query|url)\?/.test(line)),
      ).toEqual([]);
    }
  });
});

/**
 * Spectral follows each reference again and compiles what it finds: a reply or header that every endpoint refers to is inlined
 * only once.
 */
function inlinedOnce(description: object): string {
  const met = new Set<string>();
  return JSON.stringify(description, (_, value) => {
    if (!/^#\/components\/(responses|headers)\//.test(value?.$ref)) return value;
    return met.has(value.$ref) ? undefined : met.add(value.$ref) && value;
  });
}

const STRICT = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
  skipLibCheck: true,
};

/** A few lines as an integrator would write them: wrong names or types would not compile. */
const USE = `
import { VehicleStatus as Status } from './openapi-typescript.js';
import type { components } from './openapi-typescript.js';
import { getVehicles as heyVehicles } from './hey-api/index.js';
import type { VehicleDetail } from './hey-api/index.js';
import { getVehicles as orvalVehicles } from './orval/api.js';
import { VehicleStatus } from './orval/api.schemas.js';

const price = (vehicle: components['schemas']['VehicleDetail']): string => vehicle.price;
const isThere = (vehicle: VehicleDetail): boolean => vehicle.status === "Auction'da";
export async function all(): Promise<string[]> {
  const hey = await heyVehicles({ query: { limit: 5, status: 'Stokta', updated_since: '2026-11-15' } });
  const orval = await orvalVehicles({ limit: 5, status: VehicleStatus.AuctionDa });
  if (orval.status === 401) return [orval.data.error.code];
  if (orval.status !== 200) return [];
  return [...(hey.data?.data ?? []).map(({ plate }) => plate), ...orval.data.data.map(({ price: shown }) => shown)];
}
export const known = [price, isThere, Status.Satildi];
`;
