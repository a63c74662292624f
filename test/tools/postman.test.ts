// The description as a Postman collection, run with nothing but the key filled in, against the demonstration.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDemo } from '../../src/domain/demo/demo-data.ts';
import { dealerOf } from '../../src/domain/demo/demo-dealer.ts';
import { loadDemoOffice } from '../../src/domain/demo/demo-office.ts';
import { apiRows } from '../../src/http/api/api-rows.ts';
import { resources } from '../../src/resources/index.ts';
import { storeBulletinFor } from '../support/bulletins.ts';
import { type TestService, testService } from '../support/service.ts';
import { openAll } from '../support/writer.ts';
import { areToolsMissing, type Bench, openBench } from './tools.ts';

const rows = apiRows(resources);
const DEALER = dealerOf(0);

describe.skipIf(areToolsMissing())('a Postman collection made from the description', () => {
  let api: TestService;
  let bench: Bench;

  beforeAll(async () => {
    [api, bench] = await Promise.all([testService(), openBench()]);
    const now = new Date();
    await loadDemo(api.database, api.secrets, { dealers: 1, vehicles: 60, customers: 40, now });
    await loadDemoOffice(api.database, api.secrets, DEALER, now);
    // The banks' own, as the service fetches them daily; the history is asked for days of the example.
    for (const day of ['2026-10-01', now.toISOString().slice(0, 10)])
      await storeBulletinFor(api.database, 'KKTCMB', { day }, now);
  });
  afterAll(async () => {
    await bench?.close();
    await api?.close();
  });

  it('answers 2xx for the six rows that are shipped', async () => {
    const live = rows.filter(({ status }) => status === 'Aktif').map(({ id }) => id);
    expect(live).toHaveLength(6);
    await expectAnswers(live);
  });

  it('answers 2xx for every GET with every row open', async () => {
    await openAll(api);
    await expectAnswers(rows.filter(({ method, body }) => method === 'GET' && body !== null).map(({ id }) => id));
  });

  /** Of a key that holds these rows. */
  async function expectAnswers(rowIds: readonly string[]): Promise<void> {
    const { secret: key } = await api.key(DEALER.id, { endpoints: [...rowIds] });
    const { text } = await api.call('/openapi.json', { key });
    await writeFile(
      join(bench.folder, 'openapi.json'),
      text.replaceAll(/http:\/\/[^"/]+\/api\/v1/g, `${api.service.url}/api/v1`),
    );
    await bench.run(
      'openapi2postmanv2',
      '-s',
      'openapi.json',
      '-o',
      'collection.json',
      '-O',
      'enableOptionalParameters=false,parametersResolution=Example',
    );
    await bench.run(
      'newman',
      'run',
      'collection.json',
      '--env-var',
      `bearerToken=${key}`,
      '--reporters',
      'json',
      '--reporter-json-export',
      'run.json',
    );
    const { run } = JSON.parse(await readFile(join(bench.folder, 'run.json'), 'utf8')) as Run;
    const answers = run.executions.map(({ item, request, response }) => `${request.method} ${item.name}: ${response?.code}`);
    expect(answers).toHaveLength(rowIds.length);
    expect(answers.filter((answer) => !/: 2\d\d$/.test(answer))).toEqual([]);
  }
});

interface Run {
  readonly run: {
    readonly executions: readonly {
      readonly item: { readonly name: string };
      readonly request: { readonly method: string };
      readonly response?: { readonly code: number };
    }[];
  };
}
