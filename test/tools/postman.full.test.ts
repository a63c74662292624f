// The served Postman collection, and the one that other tools build from the description: run with only the key filled in,
// against the demonstration.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDemo } from '../../src/demo/demo-data.ts';
import { dealerOf } from '../../src/demo/demo-dealer.ts';
import { loadDemoOffice } from '../../src/demo/demo-office.ts';
import { AUTHORIZATIONS } from '../../src/domain/keys/key-policy.ts';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { resources } from '../../src/resources/index.ts';
import { storeBulletinFor } from '../support/bulletins.ts';
import { type TestService, testService } from '../support/service.ts';
import { openAll } from '../support/writer.ts';
import { areToolsMissing, type Bench, openBench } from './tools.ts';

const endpoints = apiEndpoints(resources);
const DEALER = dealerOf(0);

describe.skipIf(areToolsMissing())('a Postman collection', () => {
  let api: TestService;
  let bench: Bench;

  beforeAll(async () => {
    [api, bench] = await Promise.all([testService(), openBench()]);
    // The scan that the collection sends, beside a saved collection.
    await writeFile(join(bench.folder, 'kimlik.pdf'), '%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n');
    const now = new Date();
    await loadDemo(api.database, api.secrets, { dealers: 2, vehicles: 60, customers: 40, now });
    await loadDemoOffice(api.database, api.secrets, DEALER, now, { files: api.service.parts.files, publicUrl: api.service.url });
    // The banks' bulletins, as the service fetches them daily; the history is requested for days of the example.
    for (const day of ['2026-10-01', now.toISOString().slice(0, 10)])
      await storeBulletinFor(api.database, 'KKTCMB', { day }, now);
  });
  afterAll(async () => {
    await bench?.close();
    await api?.close();
  });

  const live = endpoints.filter(({ status }) => status === 'Aktif').map(({ id }) => id);
  const built = endpoints.filter(({ body }) => body !== null);
  const reads = built.filter(({ method }) => method === 'GET').map(({ id }) => id);

  it('answers 2xx for the six shipped endpoints, as served and as other tools build it', async () => {
    expect(live).toHaveLength(6);
    await expectAnswers(live, served);
    await expectAnswers(live, converted);
  });

  it('answers 2xx with every endpoint open: as served for every endpoint, as other tools build it for every GET', async () => {
    await openAll(api);
    const checked = await expectAnswers(
      built.map(({ id }) => id),
      served,
    );
    expect(checked).toBe(2 * built.length);
    await expectAnswers(reads, converted);
  });

  it('fails as served without a valid key', async () => {
    const { secret } = await api.key(DEALER.id, { endpoints: live });
    await served(secret);
    await expect(bench.run('newman', 'run', 'collection.json', '--env-var', `apiKey=${secret.slice(0, -1)}`)).rejects.toThrow(
      /401/,
    );
  });

  const atHome = (text: string) => text.replaceAll(/http:\/\/[^"/]+\/api\/v1/g, `${api.service.url}/api/v1`);

  /** Writes the collection and returns the name of its key variable. */
  async function served(key: string): Promise<string> {
    await writeFile(join(bench.folder, 'collection.json'), atHome((await api.call('/postman.json', { key })).text));
    return 'apiKey';
  }

  async function converted(key: string): Promise<string> {
    await writeFile(join(bench.folder, 'openapi.json'), atHome((await api.call('/openapi.json', { key })).text));
    const options = 'enableOptionalParameters=false,parametersResolution=Example';
    await bench.run('openapi2postmanv2', '-s', 'openapi.json', '-o', 'collection.json', '-O', options);
    return 'bearerToken';
  }

  /** Of a key that holds these endpoints, with nothing else filled in. */
  async function expectAnswers(endpointIds: readonly string[], make: (key: string) => Promise<string>): Promise<number> {
    const { secret: key } = await api.key(DEALER.id, { endpoints: [...endpointIds], authorizations: [...AUTHORIZATIONS] });
    const name = await make(key);
    const reported = ['--reporters', 'json', '--reporter-json-export', 'run.json'];
    await bench.run('newman', 'run', 'collection.json', '--env-var', `${name}=${key}`, ...reported);
    const { run } = JSON.parse(await readFile(join(bench.folder, 'run.json'), 'utf8')) as Run;
    const answers = run.executions.map(({ item, request, response }) => `${request.method} ${item.name}: ${response?.code}`);
    expect(answers).toHaveLength(endpointIds.length);
    expect(answers.filter((answer) => !/: 2\d\d$/.test(answer))).toEqual([]);
    return run.executions.flatMap(({ assertions = [] }) => assertions).length;
  }
});

interface Run {
  readonly run: {
    readonly executions: readonly {
      readonly item: { readonly name: string };
      readonly request: { readonly method: string };
      readonly response?: { readonly code: number };
      readonly assertions?: readonly unknown[];
    }[];
  };
}
