// The types of the TypeScript client are generated from the description, with the tool that integrators use. After a change of an
// endpoint:
//
//   npx vitest run test/tools/sdk-types.full.test.ts -u
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { areToolsMissing, type Bench, describeInto, openBench } from './tools.ts';

describe.skipIf(areToolsMissing())('the types of the TypeScript client', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(() => bench?.close());

  it('are those of the description', async () => {
    const file = await describeInto(bench.folder, 'all');
    await writeFile(file, JSON.stringify(withoutExamples(JSON.parse(await readFile(file, 'utf8')))));
    await bench.run('openapi-typescript', file, '--output', 'schema.d.ts');
    const types = await readFile(join(bench.folder, 'schema.d.ts'), 'utf8');
    await expect(types).toMatchFileSnapshot('../../sdk/typescript/src/schema.d.ts');
  });
});

/** Complete replies as comments would be most of the file. */
function withoutExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => name !== 'examples' && name !== 'example' && name !== 'webhooks');
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutExamples(inner)]));
}
