// `member reset`: a link for an owner who forgot the password, where no mail is sent.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageError } from '../../src/commands/command.ts';
import { memberCommand } from '../../src/commands/member.ts';
import { Browser, newPerson, PASSWORD } from '../panel/people.ts';
import { TEST_SECRET } from '../support/database.ts';
import { type TestService, testService } from '../support/service.ts';
import { printed } from './printed.ts';

const NEW_PASSWORD = 'bambaşka uzun bir cümle';
let service: TestService;
let folder = '';
beforeAll(async () => {
  service = await testService();
  folder = await mkdtemp(join(tmpdir(), 'galeri-member-'));
  Object.assign(process.env, { DATABASE_URL: service.adminUrl, GALERI_SECRET: TEST_SECRET, DATA_DIR: join(folder, 'data') });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

test('an owner sets a new password by the link, once', async () => {
  const owner = await newPerson(service, { accountId: await service.account() });
  const made = JSON.parse(await printed(() => memberCommand.run(['reset', '--email', owner.email.toUpperCase(), '--json'])));
  const path = made.link.slice(made.link.indexOf('/panel/'));
  const browser = new Browser(service.service.url);
  expect((await browser.submit(path, { password: NEW_PASSWORD })).status).toBe(303);
  expect((await new Browser(service.service.url).signIn(owner.email, NEW_PASSWORD)).status).toBe(303);
  expect((await new Browser(service.service.url).signIn(owner.email, PASSWORD)).status).toBe(422);
  expect((await new Browser(service.service.url).send(path)).status).toBe(404);
});

test('an unknown person prints one line', async () => {
  await expect(memberCommand.run(['reset', '--email', 'kimse@example.com'])).rejects.toThrow(UsageError);
  await expect(memberCommand.run(['reset', '--email', 'kimse'])).rejects.toThrow(UsageError);
});
