// Every sample of the reference, as it is printed there, against the demonstration dealer.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDemo } from '../../src/demo/demo-data.ts';
import { dealerOf } from '../../src/demo/demo-dealer.ts';
import { loadDemoOffice } from '../../src/demo/demo-office.ts';
import { AUTHORIZATIONS } from '../../src/domain/keys/key-policy.ts';
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { exampleOf } from '../../src/http/docs/openapi/examples.ts';
import { docsPaths } from '../../src/http/docs/pages/docs-page.ts';
import { LANGUAGES } from '../../src/http/docs/samples/sample-languages.ts';
import { sql } from '../../src/kit/sql.ts';
import { resources } from '../../src/resources/index.ts';
import { storeBulletinFor } from '../support/bulletins.ts';
import { aJpeg } from '../support/pictures.ts';
import { type TestService, testService } from '../support/service.ts';
import { dealerWith, openAll } from '../support/writer.ts';
import { isMissing, runAll } from './interpreters.ts';
import { type Printed, printedOn, rowOf } from './printed.ts';

const endpoints = apiEndpoints(resources);
const built = endpoints.filter(({ body }) => body !== null);
const DEALER = dealerOf(0);

let api: TestService;
let folder: string;
let printed: Printed[];

beforeAll(async () => {
  api = await testService();
  folder = await mkdtemp(join(tmpdir(), 'galeri-samples-'));
  const now = new Date();
  await loadDemo(api.database, api.secrets, { dealers: 2, vehicles: 60, customers: 40, now });
  await loadDemoOffice(api.database, api.secrets, DEALER, now, { files: api.service.parts.files, publicUrl: api.service.url });
  await storeBulletinFor(api.database, 'KKTCMB', { day: now.toISOString().slice(0, 10) });
  await openAll(api);
  printed = await readPages(api.service.url);
});
afterAll(async () => {
  await api?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** As a reader of the service gets them. */
async function readPages(url: string): Promise<Printed[]> {
  const paths = docsPaths(endpoints, { publicUrl: url, isLive: () => true, locale: 'en', today: '2026-10-02' });
  const pages: Printed[] = [];
  for (const path of paths) {
    const { status, text } = await api.call(`/docs${path}?lang=en`);
    expect(status, `${path} ${text.slice(0, 200)}`).toBe(200);
    pages.push(...printedOn(path, text));
  }
  return pages;
}

describe('the samples', () => {
  it('exist for every built endpoint, in every language', () => {
    for (const { id } of built) {
      const own = printed.filter((one) => one.page !== '' && rowOf(one) === id);
      for (const language of LANGUAGES)
        expect(own.filter(({ languages }) => languages.includes(language.id)).length, `${id} ${language.name}`).toBeGreaterThan(
          0,
        );
    }
  });

  it.each(LANGUAGES.filter(({ id }) => !isMissing(id)).map(({ id, name }) => [name, id] as const))(
    'in %s run as they are printed',
    async (_, language) => {
      const samples = printed.filter(
        (one) => one.languages.includes(language) && rowOf(one) !== undefined && !/^\w+\.\w+$/.test(one.label),
      );
      const { secret, id: keyId } = await api.key(DEALER.id, {
        endpoints: endpoints.map(({ id }) => id),
        authorizations: [...AUTHORIZATIONS],
      });
      const place = join(folder, language);
      await mkdir(place);
      await writeFile(join(place, 'photo.jpg'), await aJpeg());
      await writeFile(join(place, 'kimlik.pdf'), '%PDF-1.7\n%%EOF\n');
      await writeFile(join(place, 'customers.csv'), 'Ad;Soyad;Telefon\nAyşe;Yılmaz;+905338412207\n');
      const ran = await runAll(
        language,
        samples.map(({ text }) => text),
        place,
        secret,
      );
      const faults = ran.flatMap(({ failed, printed: output }, index) =>
        failed || output.trim() === '' || output.includes('"success":false')
          ? [`${samples[index]!.page} ${samples[index]!.label}: ${output}`]
          : [],
      );
      expect(faults.slice(0, 5)).toEqual([]);
      // The service received what the reference documents: one call of each, with the reply of the example beside it.
      const expected = samples.map((sample) => `${rowOf(sample)} ${exampleOf(rowOf(sample)!)!.status}`).toSorted();
      await expect.poll(() => callsOf(keyId)).toEqual(expected);
    },
  );

  it('changed nothing: writes are dry runs', async () => {
    const { secret } = await api.key(DEALER.id, { endpoints: ['GET vehicles', 'GET customers', 'GET tasks', 'GET webhooks'] });
    const dealer = dealerWith(api, DEALER.id, secret);
    for (const path of ['vehicles', 'customers', 'tasks', 'webhooks']) {
      const { json } = await dealer.get(`${path}?limit=100`);
      expect(json.data.length, path).toBe({ vehicles: 60, customers: 40, tasks: 1, webhooks: 2 }[path]);
    }
  });
});

async function callsOf(keyId: string): Promise<string[]> {
  const found = await api.database.onPlatform('read', (db) =>
    db.rows<{ endpoint: string; status: number }>(sql`select endpoint, status from request_logs where key_id = ${keyId}`),
  );
  return found.map(({ endpoint, status }) => `${endpoint} ${status}`).toSorted();
}
