// Actions for two administrators need two people: the second confirms what the first approved, and no one can be their own
// second.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/kit/ids.ts';
import { sql } from '../../src/kit/sql.ts';
import type { LimitRequestLine } from '../../src/panel/admin/limits.ts';
import { type TestService, testService } from '../support/service.ts';
import { Browser, newPerson, PASSWORD, signedIn, type TestPerson } from './people.ts';

let service: TestService;
let accountId: string;
let owner: TestPerson;
let first: Browser;
let firstPerson: TestPerson;
let second: Browser;
let secondPerson: TestPerson;
beforeAll(async () => {
  service = await testService();
  accountId = await service.account();
  owner = await newPerson(service, { accountId });
});
afterAll(() => service.close());

/** Two administrators from the command line, regardless of existing ones. */
beforeEach(async () => {
  await exec(sql`update people set disabled_at = now(), disabled_by = null where is_admin and disabled_at is null`);
  firstPerson = await newPerson(service, { admin: true });
  secondPerson = await newPerson(service, { admin: true });
  first = await signedIn(service, firstPerson);
  second = await signedIn(service, secondPerson);
});

const exec = (statement: ReturnType<typeof sql>) => service.database.onPlatform('write', (db) => db.exec(statement));
const post = (who: Browser, path: string, body: unknown = {}) => who.api(path, { method: 'POST', body });
const approve = (who: Browser, id: string, per_minute: number) => post(who, `admin/limit-requests/${id}/approve`, { per_minute });
const limitOf = async (keyId: string): Promise<number> =>
  service.database.onPlatform('read', async (db) => {
    const key = await db.one<{ limit: number }>(sql`select limit_per_minute as limit from api_keys where id = ${keyId}`);
    return key.limit;
  });

/** As the dealer's key screen writes it. */
async function requestLimit(perMinute: number, by = owner.id): Promise<{ id: string; keyId: string }> {
  const key = await service.key(accountId, { limitPerMinute: 60 });
  const id = newId();
  await exec(sql`insert into limit_requests (account_id, id, key_id, asked_per_minute, reason, asked_by)
    values (${accountId}, ${id}, ${key.id}, ${perMinute}, 'Kampanya', ${by})`);
  return { id, keyId: key.id };
}

const lineOf = async (who: Browser, id: string): Promise<LimitRequestLine> =>
  (await who.api('admin/limit-requests?limit=100')).json.data.find((line: LimitRequestLine) => line.id === id);

/** Created in the panel by `maker`, who receives the link and uses it. */
async function madeBy(maker: Browser, email: string): Promise<{ id: string; browser: Browser }> {
  const made = await post(maker, 'admin/administrators', { email, full_name: 'İkinci Yönetici' });
  expect(made.status, made.text).toBe(200);
  await new Browser(service.service.url).submit(new URL(made.json.data.link).pathname, { password: PASSWORD });
  const browser = new Browser(service.service.url);
  expect((await browser.signIn(email)).status).toBe(303);
  return { id: made.json.data.id, browser };
}

describe('the granted limit counts, not the requested one', () => {
  test('a request for 61 with a grant of a million waits for a second administrator', async () => {
    const { id, keyId } = await requestLimit(61);
    const answer = await approve(first, id, 1_000_000);
    expect(answer.json.data).toEqual({ status: 'pending' });
    expect(await limitOf(keyId)).toBe(60);
    expect((await approve(first, id, 1_000_000)).json.error.code).toBe('second_person_required');
    expect(await lineOf(second, id)).toMatchObject({
      status: 'pending',
      first_by: firstPerson.id,
      first_per_minute: 1_000_000,
      may_be_second: true,
    });
    expect((await lineOf(first, id)).may_be_second).toBe(false);
    expect((await approve(second, id, 1_000_000)).json.data).toEqual({ status: 'approved' });
    expect(await limitOf(keyId)).toBe(1_000_000);
  });

  test('the second approves the same number; another number is a new first approval', async () => {
    const { id, keyId } = await requestLimit(2000);
    await approve(first, id, 700);
    expect((await approve(second, id, 900_000)).json.data).toEqual({ status: 'pending' });
    expect(await limitOf(keyId)).toBe(60);
    expect((await approve(second, id, 900_000)).json.error.code).toBe('second_person_required');
    expect((await approve(first, id, 900_000)).json.data).toEqual({ status: 'approved' });
  });

  test('up to 600 one administrator decides, for any request and any first approval', async () => {
    const { id, keyId } = await requestLimit(5000);
    await approve(first, id, 5000);
    expect((await approve(first, id, 600)).json.data).toEqual({ status: 'approved' });
    expect(await limitOf(keyId)).toBe(600);
  });

  test('a limit set without a request is a first approval', async () => {
    const key = await service.key(accountId, { limitPerMinute: 60 });
    const raised = await post(first, `admin/keys/${key.id}/limit`, { per_minute: 1200, reason: 'Entegratör taşınıyor' });
    expect(raised.json.data).toEqual({ in_force: false });
    const [line] = (await second.api('admin/limit-requests?status=pending')).json.data as LimitRequestLine[];
    expect(line).toMatchObject({ asked_per_minute: 1200, first_by: firstPerson.id, first_per_minute: 1200 });
    expect((await approve(first, line!.id, 1200)).json.error.code).toBe('second_person_required');
    expect((await approve(second, line!.id, 1200)).json.data).toEqual({ status: 'approved' });
    expect(await limitOf(key.id)).toBe(1200);
    expect((await post(first, `admin/keys/${key.id}/limit`, { per_minute: 600, reason: 'Düşür' })).json.data).toEqual({
      in_force: true,
    });
  });

  test('two concurrent approvals are counted separately, with one decision', async () => {
    const { id, keyId } = await requestLimit(61);
    const answers = await Promise.all([approve(first, id, 5000), approve(second, id, 5000)]);
    expect(answers.map((answer) => answer.json.data.status).sort()).toEqual(['approved', 'pending']);
    expect(await limitOf(keyId)).toBe(5000);
  });
});

describe('no one is their own second', () => {
  test('not as an administrator they created and whose link they held', async () => {
    const { browser: own } = await madeBy(first, 'kendisi@example.com');
    const { id, keyId } = await requestLimit(61);
    await approve(first, id, 1_000_000);
    expect((await lineOf(own, id)).may_be_second).toBe(false);
    expect((await approve(own, id, 1_000_000)).json.error.code).toBe('second_person_required');
    expect(await limitOf(keyId)).toBe(60);
    expect((await approve(second, id, 1_000_000)).status).toBe(200);
  });

  test('not as two administrators they created, nor the other way round', async () => {
    const one = await madeBy(first, 'bir@example.com');
    const other = await madeBy(one.browser, 'iki@example.com');
    const three = await madeBy(first, 'uc@example.com');
    const { id } = await requestLimit(61);
    await approve(other.browser, id, 1_000_000);
    for (const linked of [first, one.browser, three.browser])
      expect((await approve(linked, id, 1_000_000)).json.error.code).toBe('second_person_required');
    expect((await approve(second, id, 1_000_000)).status).toBe(200);
  });

  test('not by a new link for an administrator whom another created', async () => {
    const made = await post(second, 'admin/administrators', { email: 'bekleyen@example.com', full_name: 'Bekleyen' });
    const again = await post(first, `admin/administrators/${made.json.data.id}/link`);
    await new Browser(service.service.url).submit(new URL(again.json.data.link).pathname, { password: PASSWORD });
    const own = new Browser(service.service.url);
    await own.signIn('bekleyen@example.com');
    const { id } = await requestLimit(61);
    await approve(first, id, 1_000_000);
    expect((await approve(own, id, 1_000_000)).json.error.code).toBe('second_person_required');
  });

  test('not by removing the second: alone afterwards, or back by their own link', async () => {
    const { id, keyId } = await requestLimit(61);
    expect((await first.api(`admin/administrators/${secondPerson.id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await approve(first, id, 1_000_000)).json.data).toEqual({ status: 'pending' });
    const { browser: back } = await madeBy(first, secondPerson.email);
    expect((await approve(back, id, 1_000_000)).json.error.code).toBe('second_person_required');
    expect(await limitOf(keyId)).toBe(60);
  });

  test('not as the dealer who requests, in an account they created themselves', async () => {
    const { id } = await requestLimit(1_000_000);
    expect((await approve(first, id, 1_000_000)).json.data).toEqual({ status: 'pending' });
  });

  test('the database refuses it too, regardless of the code', async () => {
    const { id: made } = await madeBy(first, 'tablo@example.com');
    const { id } = await requestLimit(61);
    const granted = (by: string, more = sql`first_by = ${firstPerson.id}, first_per_minute = 5000, first_at = now()`) =>
      exec(sql`update limit_requests set status = 'approved', granted_per_minute = 5000, decided_by = ${by}, decided_at = now(),
        ${more} where id = ${id}`);
    await expect(granted(firstPerson.id)).rejects.toMatchObject({ constraint: 'limit_requests_two_administrators' });
    await expect(granted(secondPerson.id, sql`first_by = null`)).rejects.toMatchObject({
      constraint: 'limit_requests_two_administrators',
    });
    await expect(
      granted(secondPerson.id, sql`first_by = ${firstPerson.id}, first_per_minute = 700, first_at = now()`),
    ).rejects.toMatchObject({ constraint: 'limit_requests_two_administrators' });
    await expect(granted(made)).rejects.toMatchObject({ constraint: 'limit_requests_second_administrator' });
    expect(await granted(secondPerson.id)).toBe(1);
  });
});

describe('without another administrator', () => {
  test('a single administrator decides, until there was another', async () => {
    await exec(sql`update people set disabled_at = now() where id = ${secondPerson.id}`);
    const { id, keyId } = await requestLimit(61);
    expect((await first.api('admin/limit-rules')).json.data).toEqual({ four_eyes: false });
    expect((await approve(first, id, 2000)).json.data).toEqual({ status: 'approved' });
    expect(await limitOf(keyId)).toBe(2000);
    await madeBy(first, 'sonra@example.com');
    const next = await requestLimit(61);
    expect((await first.api('admin/limit-rules')).json.data).toEqual({ four_eyes: true });
    expect((await approve(first, next.id, 2000)).json.data).toEqual({ status: 'pending' });
  });

  test('also with FOUR_EYES=off', async () => {
    const other = await testService({ env: { FOUR_EYES: 'off' } });
    try {
      const alone = await signedIn(other, await newPerson(other, { admin: true }));
      await newPerson(other, { admin: true });
      const key = await other.key(await other.account(), { limitPerMinute: 60 });
      expect((await alone.api('admin/limit-rules')).json.data).toEqual({ four_eyes: false });
      const raised = await post(alone, `admin/keys/${key.id}/limit`, { per_minute: 1200, reason: 'Tek yönetici' });
      expect(raised.json.data).toEqual({ in_force: true });
    } finally {
      await other.close();
    }
  });
});
