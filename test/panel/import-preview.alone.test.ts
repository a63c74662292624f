// A client that closes the page while a preview is read.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { childrenNamed, isRunning } from '../support/child-processes.ts';
import { until } from '../support/patience.ts';
import { type TestService, testService } from '../support/service.ts';
import { workbookOfElements } from '../support/workbooks.ts';
import { type Browser, newPerson, signedIn } from './people.ts';

const PROGRAM = 'source-program.ts';
let api: TestService;
beforeAll(async () => {
  api = await testService();
});
afterAll(async () => {
  await api.close();
});

const anOwner = async (): Promise<Browser> => signedIn(api, await newPerson(api, { accountId: await api.account() }));

/** The request, and a function that closes the connection before the reply. */
function preview(owner: Browser, bytes: Buffer) {
  const leaves = new AbortController();
  const answer = fetch(`${owner.url}/panel/api/import/preview`, {
    method: 'POST',
    signal: leaves.signal,
    headers: {
      cookie: owner.cookieText(),
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
      'x-csrf-token': owner.csrf,
    },
    body: JSON.stringify({ content: bytes.toString('base64') }),
  }).then(
    ({ status }) => status,
    () => null,
  );
  return { answer, leave: () => leaves.abort() };
}

test('stops reading a preview once its client has left', async () => {
  const small = Buffer.from('Plaka\nAB 1\n');
  const [stays, leaves] = [await anOwner(), await anOwner()];
  expect(await preview(stays, small).answer).toBe(200);
  const [kept] = await childrenNamed(PROGRAM);
  process.kill(kept!, 'SIGSTOP');
  const waits = preview(stays, small);
  const left = preview(leaves, workbookOfElements(3_000_000));
  await until(async () => (await childrenNamed(PROGRAM)).length === 2);
  const ended = (await childrenNamed(PROGRAM)).find((pid) => pid !== kept)!;
  process.kill(ended, 'SIGSTOP');
  left.leave();
  expect(await left.answer).toBeNull();
  await until(async () => !(await isRunning(PROGRAM, ended)));
  // The previous request, which takes as long, has not reached its time limit.
  expect(await isRunning(PROGRAM, kept!)).toBe(true);
  process.kill(kept!, 'SIGCONT');
  expect(await waits.answer).toBe(200);
});
