// The guide on the sandbox: its recipe runs as printed; under `shared` the guide says what the specification says.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resources } from '../../src/resources/index.ts';
import { openSandbox } from '../../src/sandbox/open-sandbox.ts';
import { type TestService, testService } from '../support/service.ts';
import { openAll } from '../support/writer.ts';
import { runProgram } from './interpreters.ts';
import { printedOn } from './printed.ts';

const RULE = {
  act: 'network_offer',
  name: { en: 'Offer to a dealer', tr: 'Galeriye teklif' },
  decided_by: { en: 'the last two digits', tr: 'kuruşu' },
  fields: [],
  outcomes: [
    { when: ['.01'], outcome: 'rejected', description: { en: 'Rejected at once.', tr: 'Hemen reddedilir.' } },
    { when: ['else'], outcome: 'accepted', description: { en: 'Accepted.', tr: 'Kabul edilir.' } },
  ],
};

let api: TestService;
let folder: string;
beforeAll(async () => {
  const sandbox: typeof openSandbox = (parts) => ({ ...openSandbox(parts), rules: [RULE] });
  api = await testService({ env: { SANDBOX: 'isolated' }, sandbox });
  folder = await mkdtemp(join(tmpdir(), 'galeri-recipe-'));
  await openAll(api);
});
afterAll(async () => {
  await api?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

test.each([
  ['en', {}],
  ['tr', { country: 'TR' as const }],
])(
  'the recipe of the page in %s resets, sells, advances and asserts, run by the command of the workflow',
  async (lang, account) => {
    const printed = printedOn('', (await api.call(`/docs?lang=${lang}`)).text).filter(({ section }) => section === 'sandbox');
    const [workflow, script] = printed.map(({ text }) => text);
    expect(printed.map(({ label }) => label)).toEqual(['galeri.yml', 'sandbox.mjs']);
    const [, command] = /- run: node (\S+)\n/.exec(workflow!)!;
    await writeFile(join(folder, command!), script!);
    const endpoints = resources.flatMap(({ endpoints: all }) => all).map(({ id }) => id);
    const { secret } = await api.key(await api.account(account), { endpoints, environment: 'sandbox' });
    expect(await runProgram(command!, folder, secret)).toMatch(/^21 installments are overdue, \d+ events on the way\n$/);
  },
);

test('the rules are shown as they are served', async () => {
  const page = (await api.call('/docs?lang=tr')).text;
  for (const text of ['Galeriye teklif', 'kuruşu', '<code>.01</code>', 'Hemen reddedilir.', 'diğer', 'Kabul edilir.'])
    expect(page).toContain(text);
});

test('sandbox keys are described as this service treats them', async () => {
  const shared = await testService();
  const [isolatedPage, sharedPage] = [(await api.call('/docs?lang=en')).text, (await shared.call('/docs?lang=en')).text];
  await shared.close();
  expect(isolatedPage).toContain('a sandbox of their own');
  expect(isolatedPage).not.toContain('sandbox keys read the same data and cannot write');
  expect(sharedPage).toContain('sandbox keys read the same data and cannot write');
  for (const absent of ['id="sandbox"', '/sandbox/v1', 'a sandbox of their own']) expect(sharedPage).not.toContain(absent);
});
