// A link created by another person gives no more than its creator may still give: it ends with the creator's rights, and with
// every change of the person it is for.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptInvitation, findInvitation, type Invitation, spendReset } from '../../src/domain/identity/invitations.ts';
import type { Role } from '../../src/domain/identity/roles.ts';
import { sql } from '../../src/kit/sql.ts';
import { type TestService, testService } from '../support/service.ts';
import { Browser, newPerson, PASSWORD, signedIn, type TestPerson } from './people.ts';

const NEW_PASSWORD = 'bambaşka uzun bir cümle';
const FROM = { ip: '127.0.0.1', userAgent: null, requestId: 'test' };
let service: TestService;
let admin: Browser;
let adminPerson: TestPerson;
beforeAll(async () => {
  // Mail is queued and never sent: no worker runs.
  service = await testService({ env: { SMTP_URL: 'smtp://127.0.0.1:9?from=panel@example.com' } });
  adminPerson = await newPerson(service, { admin: true });
  admin = await signedIn(service, adminPerson);
});
afterAll(() => service.close());

const exec = (statement: ReturnType<typeof sql>) => service.database.onPlatform('write', (db) => db.exec(statement));
const pathOf = (link: string) => new URL(link).pathname;
const statusOf = async (path: string) => (await new Browser(service.service.url).send(path)).status;
const spend = async (path: string) =>
  (await new Browser(service.service.url).submit(path, { password: NEW_PASSWORD })).headers.get('location');

interface Dealer {
  readonly accountId: string;
  readonly ownerPerson: TestPerson;
  readonly owner: Browser;
}

async function newDealer(): Promise<Dealer> {
  const accountId = await service.account();
  const ownerPerson = await newPerson(service, { accountId });
  return { accountId, ownerPerson, owner: await signedIn(service, ownerPerson) };
}

/** A colleague, and a password link for them that the owner holds. */
async function resetFor({ accountId, owner }: Dealer, role: Role = 'sales'): Promise<{ person: TestPerson; path: string }> {
  const person = await newPerson(service, { accountId, role });
  const made = await owner.api(`members/${await memberId(accountId, person)}/password-reset`, { method: 'POST' });
  return { person, path: pathOf(made.json.data.link) };
}

const memberId = async (accountId: string, person: TestPerson): Promise<string> =>
  service.database.onPlatform('read', async (db) => {
    const found = await db.one<{ id: string }>(
      sql`select id from members where account_id = ${accountId} and person_id = ${person.id}`,
    );
    return found.id;
  });

async function inviteInto({ owner }: Dealer, email: string, more: object = {}): Promise<string> {
  const body = { email, full_name: 'Davetli', role: 'sales', ...more };
  const made = await owner.api('invitations', { method: 'POST', body });
  expect(made.status, made.text).toBe(200);
  return pathOf(made.json.data.link);
}

const accept = async (path: string, password = NEW_PASSWORD) =>
  (await new Browser(service.service.url).submit(path, { full_name: 'Davetli', password })).status;

/** As an existing person accepts an invitation with their password. */
async function join(dealer: Dealer, person: TestPerson, role: Role = 'sales'): Promise<void> {
  const path = await inviteInto(dealer, person.email, { role });
  expect(await accept(path, PASSWORD)).toBe(303);
}

describe('a link to a colleague’s password', () => {
  test('does not open another dealer that the colleague joins later, nor after they have left it again', async () => {
    const [first, second] = [await newDealer(), await newDealer()];
    const { person, path } = await resetFor(first);
    await join(second, person, 'owner');
    expect(await statusOf(path)).toBe(404);
    expect(await spend(path)).toBeNull();
    expect((await new Browser(service.service.url).signIn(person.email)).status).toBe(303);
    await exec(sql`update members set active = false where account_id = ${second.accountId} and person_id = ${person.id}`);
    expect(await statusOf(path)).toBe(404);
  });

  test.each([
    ['the colleague is promoted', sql`role = 'owner'`],
    ['the colleague is put out', sql`active = false`],
  ])('ends when %s, and does not become valid again', async (_, change) => {
    const dealer = await newDealer();
    const { person, path } = await resetFor(dealer);
    await exec(sql`update members set ${change} where person_id = ${person.id}`);
    expect(await statusOf(path)).toBe(404);
    await exec(sql`update members set role = 'sales', active = true where person_id = ${person.id}`);
    expect(await statusOf(path)).toBe(404);
  });

  test.each([
    ['gets another e-mail address', sql`email = 'baska-' || email`],
    ['becomes an administrator', sql`is_admin = true`],
    ['gets another password', sql`password_hash = 'other'`],
    ['is disabled', sql`disabled_at = now()`],
  ])('ends when the colleague %s', async (_, change) => {
    const { person, path } = await resetFor(await newDealer());
    await exec(sql`update people set ${change} where id = ${person.id}`);
    await exec(sql`update people set is_admin = false, disabled_at = null where id = ${person.id}`);
    expect(await statusOf(path)).toBe(404);
  });

  test('ends when its creator is no longer an owner, is removed, disabled, or has a new password', async () => {
    for (const change of [
      (id: string) => sql`update members set role = 'viewer' where person_id = ${id}`,
      (id: string) => sql`update members set active = false where person_id = ${id}`,
      (id: string) => sql`update people set disabled_at = now() where id = ${id}`,
      (id: string) => sql`update people set password_hash = 'other' where id = ${id}`,
    ]) {
      const dealer = await newDealer();
      const { path } = await resetFor(dealer);
      expect(await statusOf(path)).toBe(200);
      await exec(change(dealer.ownerPerson.id));
      expect(await statusOf(path)).toBe(404);
    }
  });

  test('ends when the account is suspended, and stays ended afterwards', async () => {
    const dealer = await newDealer();
    const { path } = await resetFor(dealer);
    await exec(sql`update accounts set status = 'Askıda' where id = ${dealer.accountId}`);
    expect(await statusOf(path)).toBe(404);
    await exec(sql`update accounts set status = 'Aktif' where id = ${dealer.accountId}`);
    expect(await statusOf(path)).toBe(404);
  });

  test('is checked on use, even if no change has ended it', async () => {
    const dealer = await newDealer();
    const { person, path } = await resetFor(dealer);
    // Like a link created at the same moment as the change.
    await exec(sql`update members set active = false where person_id = ${dealer.ownerPerson.id}`);
    await exec(sql`update password_resets set used_at = null where person_id = ${person.id}`);
    expect(await statusOf(path)).toBe(404);
    const token = path.split('/').at(-1)!;
    const spent = service.database.onPlatform('write', (db) => spendReset(db, token, 'hash', FROM, service.clock.now()));
    expect(await spent).toBe(false);
  });

  test('requested by the person by mail, stays valid when they join a dealer', async () => {
    const [first, second] = [await newDealer(), await newDealer()];
    const person = await newPerson(service, { accountId: first.accountId, role: 'sales' });
    await new Browser(service.service.url).submit('/panel/parola-sifirla', { email: person.email });
    await join(second, person);
    const links = await service.database.onPlatform('read', (db) =>
      db.rows(sql`select used_at from password_resets where person_id = ${person.id}`),
    );
    expect(links).toEqual([{ used_at: null }]);
  });
});

describe('a link for a new administrator', () => {
  test('ends with the administrator who created it', async () => {
    const maker = await newPerson(service, { admin: true });
    const browser = await signedIn(service, maker);
    const body = { email: 'yeni.yonetici@example.com', full_name: 'Yeni Yönetici' };
    const made = await browser.api('admin/administrators', { method: 'POST', body });
    const path = pathOf(made.json.data.link);
    expect(await statusOf(path)).toBe(200);
    expect((await admin.api(`admin/administrators/${maker.id}`, { method: 'DELETE' })).status).toBe(200);
    expect(await statusOf(path)).toBe(404);
    expect(await spend(path)).toBeNull();
  });
});

describe('an invitation', () => {
  test('ends when its sender is no longer an owner or an administrator', async () => {
    const dealer = await newDealer();
    await newPerson(service, { accountId: dealer.accountId });
    const path = await inviteInto(dealer, 'a1@example.com');
    expect(await statusOf(path)).toBe(200);
    await exec(sql`update members set role = 'sales' where person_id = ${dealer.ownerPerson.id}`);
    expect(await statusOf(path)).toBe(404);
    await exec(sql`update members set role = 'owner' where person_id = ${dealer.ownerPerson.id}`);
    expect(await statusOf(path)).toBe(404);
    const maker = await newPerson(service, { admin: true });
    const made = await (await signedIn(service, maker)).api(`admin/accounts/${await service.account()}/owner-invitations`, {
      method: 'POST',
      body: { owner_email: 'a2@example.com', owner_full_name: 'Sahip' },
    });
    const owners = pathOf(made.json.data.link);
    expect(await statusOf(owners)).toBe(200);
    await exec(sql`update people set disabled_at = now() where id = ${maker.id}`);
    expect(await statusOf(owners)).toBe(404);
    expect(await accept(owners)).toBe(404);
  });

  test('ends when the account is suspended; a suspended account creates none', async () => {
    const dealer = await newDealer();
    const path = await inviteInto(dealer, 'b1@example.com');
    await exec(sql`update accounts set status = 'Askıda' where id = ${dealer.accountId}`);
    expect(await statusOf(path)).toBe(404);
    const made = await admin.api(`admin/accounts/${dealer.accountId}/owner-invitations`, {
      method: 'POST',
      body: { owner_email: 'b2@example.com', owner_full_name: 'Sahip' },
    });
    expect(made.json.error.code).toBe('account_suspended');
  });

  test('ends when the same staff member is invited at another address, or leaves', async () => {
    const dealer = await newDealer();
    const staff = await dealer.owner.api('staff', { method: 'POST', body: { full_name: 'Kadro', role: 'sales' } });
    const member_id = staff.json.data.id;
    const wrong = await inviteInto(dealer, 'c-wrong@example.com', { member_id });
    const right = await inviteInto(dealer, 'c-right@example.com', { member_id });
    expect([await statusOf(wrong), await statusOf(right)]).toEqual([404, 200]);
    await dealer.owner.api(`staff/${member_id}`, { method: 'PATCH', body: { active: false } });
    expect(await statusOf(right)).toBe(404);
    expect(await accept(right)).toBe(404);
  });

  test('ends when the invited person has another address, or becomes a member another way', async () => {
    const dealer = await newDealer();
    const person = await newPerson(service);
    const path = await inviteInto(dealer, person.email);
    await exec(sql`update people set email = 'd-' || email where id = ${person.id}`);
    expect(await statusOf(path)).toBe(404);
    const other = await newPerson(service);
    const owners = await inviteInto(dealer, other.email, { role: 'owner' });
    await exec(sql`insert into members (account_id, id, person_id, full_name, role)
      values (${dealer.accountId}, gen_random_uuid(), ${other.id}, 'Kişi', 'viewer')`);
    expect(await statusOf(owners)).toBe(404);
  });

  test('is checked on acceptance, and does not change the role of an existing member', async () => {
    const dealer = await newDealer();
    const person = await newPerson(service);
    const path = await inviteInto(dealer, person.email, { role: 'owner' });
    const find = () =>
      service.database.onPlatform('read', (db) => findInvitation(db, path.split('/').at(-1)!, service.clock.now()));
    const found = (await find()) as Invitation;
    const acceptNow = () =>
      service.database.onPlatform('write', (db) =>
        acceptInvitation(db, found, { passwordHash: null, fullName: 'Kişi' }, FROM, service.clock.now()),
      );
    await exec(sql`insert into members (account_id, id, person_id, full_name, role)
      values (${dealer.accountId}, gen_random_uuid(), ${person.id}, 'Kişi', 'viewer')`);
    await exec(sql`update invitations set revoked_at = null where id = ${found.id}`);
    expect(await acceptNow()).toBeNull();
    await exec(sql`update members set active = false where person_id in (${person.id}, ${dealer.ownerPerson.id})`);
    await exec(sql`update invitations set revoked_at = null, accepted_at = null where id = ${found.id}`);
    expect(await acceptNow()).toBeNull();
    expect(await find()).toBeNull();
    const [{ role }] = (await service.database.onPlatform('read', (db) =>
      db.rows<{ role: string }>(sql`select role from members where person_id = ${person.id}`),
    )) as [{ role: string }];
    expect(role).toBe('viewer');
  });
});
