// An administrator cannot become the owner of a dealer alone: an owner agrees or a second administrator confirms, and every owner
// is notified.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptInvitation, findInvitation, invite } from '../../src/domain/identity/invitations.ts';
import type { OwnerRequest } from '../../src/domain/identity/owner-requests.ts';
import type { DecisionLine } from '../../src/domain/keys/admin-decisions.ts';
import { sql } from '../../src/kit/sql.ts';
import type { BannerLine } from '../../src/panel/account/banners.ts';
import { TEST_ACTOR, type TestService, testService } from '../support/service.ts';
import { Browser, newPerson, PASSWORD, signedIn, type TestPerson } from './people.ts';

const FROM = { ip: '127.0.0.1', userAgent: null, requestId: 'test' };
let service: TestService;
let adminPerson: TestPerson;
let admin: Browser;
let second: Browser;
beforeAll(async () => {
  // Mail is queued and never sent: no worker runs.
  service = await testService({ env: { SMTP_URL: 'smtp://127.0.0.1:9?from=panel@example.com' } });
  adminPerson = await newPerson(service, { admin: true });
  admin = await signedIn(service, adminPerson);
  second = await signedIn(service, await newPerson(service, { admin: true }));
});
afterAll(() => service.close());

const post = (who: Browser, path: string, body: unknown = {}) => who.api(path, { method: 'POST', body });
const propose = (accountId: string, owner_email: string, by = admin) =>
  post(by, `admin/accounts/${accountId}/owner-invitations`, { owner_email, owner_full_name: 'Yeni Sahip' });
const requests = async (owner: Browser): Promise<OwnerRequest[]> => (await owner.api('owner-requests')).json.data;
const banners = async (who: Browser): Promise<string[]> =>
  ((await who.api('notices')).json.data as BannerLine[]).map(({ kind }) => kind);
const mailsTo = async (email: string): Promise<number> =>
  service.database.onPlatform('read', async (db) => (await db.rows(sql`select 1 from mails where recipient = ${email}`)).length);
const rolesIn = async (accountId: string, email: string): Promise<string[]> =>
  service.database.onPlatform('read', async (db) => {
    const rows = await db.rows<{ role: string }>(sql`select m.role from members m join people p on p.id = m.person_id
      where m.account_id = ${accountId} and m.active and p.email = ${email}`);
    return rows.map(({ role }) => role);
  });
async function newDealer() {
  const accountId = await service.account();
  const people = [await newPerson(service, { accountId }), await newPerson(service, { accountId })] as const;
  const owners = [await signedIn(service, people[0]), await signedIn(service, people[1])] as const;
  return { accountId, people, owners };
}

describe('a dealer with owners', () => {
  test('an administrator who invites themselves waits; every owner gets a mail and a separate banner', async () => {
    const { accountId, people, owners } = await newDealer();
    const proposed = await propose(accountId, adminPerson.email);
    expect(proposed.json.data).toMatchObject({ link: null, mailed: false });
    expect(await mailsTo(adminPerson.email)).toBe(0);
    for (const [n, owner] of owners.entries()) {
      expect(await banners(owner)).toEqual(['owner.proposed']);
      expect(await mailsTo(people[n]!.email)).toBe(1);
    }
    // A banner that one owner has dismissed is still shown to the other.
    const [notice] = (await owners[0].api('notices')).json.data;
    await post(owners[0], `notices/${notice.id}/read`);
    expect([await banners(owners[0]), await banners(owners[1])]).toEqual([[], ['owner.proposed']]);
    expect((await post(owners[0], `notices/${(await owners[1].api('notices')).json.data[0].id}/read`)).status).toBe(404);
    const again = await propose(accountId, 'baska@example.com', second);
    expect(again.json.error.code).toBe('decided_meanwhile');
  });

  test('an owner agrees, and the invitation can be accepted', async () => {
    const { accountId, people, owners } = await newDealer();
    await propose(accountId, 'ortak@example.com');
    const [request] = await requests(owners[0]);
    expect(request).toMatchObject({ email: 'ortak@example.com', full_name: 'Yeni Sahip' });
    const stranger = await newDealer();
    expect((await post(stranger.owners[0], `owner-requests/${request!.id}/approve`)).json.error.code).toBe('not_found');
    const agreed = await post(owners[0], `owner-requests/${request!.id}/approve`);
    expect(agreed.json.data).toMatchObject({ email: 'ortak@example.com', mailed: true });
    expect(await banners(owners[1])).toEqual(['owner.invited', 'owner.proposed']);
    expect(await mailsTo(people[1].email)).toBe(2);
    const path = new URL(agreed.json.data.link).pathname;
    const joined = await new Browser(service.service.url).submit(path, { full_name: 'Yeni Sahip', password: PASSWORD });
    expect(joined.status).toBe(303);
    expect(await rolesIn(accountId, 'ortak@example.com')).toEqual(['owner']);
    expect(await requests(owners[0])).toEqual([]);
  });

  test('an owner refuses', async () => {
    const { accountId, owners } = await newDealer();
    await propose(accountId, adminPerson.email);
    const [request] = await requests(owners[0]);
    expect((await post(owners[0], `owner-requests/${request!.id}/refuse`)).json.data).toEqual({ status: 'withdrawn' });
    expect((await post(owners[0], `owner-requests/${request!.id}/approve`)).json.error.code).toBe('decided_meanwhile');
  });

  test('a second administrator confirms, and the first cannot', async () => {
    const { accountId, owners } = await newDealer();
    await propose(accountId, 'devralan@example.com');
    const lines = (await second.api('admin/decisions')).json.data as DecisionLine[];
    const line = lines.find(({ account_id }) => account_id === accountId)!;
    expect(line).toMatchObject({ kind: 'owner_invitation', details: { email: 'devralan@example.com' } });
    expect((await post(admin, `admin/decisions/${line.id}/confirm`)).json.error.code).toBe('second_person_required');
    const confirmed = await post(second, `admin/decisions/${line.id}/confirm`);
    expect(confirmed.json.data.invitation.link).toContain('/panel/davet/');
    expect(await banners(owners[1])).toEqual(['owner.invited', 'owner.proposed']);
  });
});

describe('a dealer without an owner', () => {
  const newAccount = (owner_email: string) =>
    post(admin, 'admin/accounts', {
      name: 'Yeni Galeri',
      country: 'KKTC',
      currency: 'STG',
      owner_email,
      owner_full_name: 'İlk Sahip',
    });

  test('the first owner is invited at once, but not at the address of an administrator', async () => {
    const made = await newAccount('ilk@example.com');
    expect(made.json.data.link).toContain('/panel/davet/');
    const own = await newAccount(adminPerson.email);
    expect(own.json.data).toMatchObject({ link: null });
    const accountId = own.json.data.account_id;
    const line = ((await second.api('admin/decisions')).json.data as DecisionLine[]).find((one) => one.account_id === accountId)!;
    expect((await post(second, `admin/decisions/${line.id}/confirm`)).status).toBe(200);
  });

  test('of two invitations for the first owner, the second ends when the first is accepted', async () => {
    const accountId = await service.account();
    const paths = [];
    for (const email of ['bir@example.com', 'iki@example.com'])
      paths.push(new URL((await propose(accountId, email)).json.data.link).pathname);
    const tokens = paths.map((path) => path.split('/').at(-1)!);
    const found = await service.database.onPlatform('read', async (db) => [
      await findInvitation(db, tokens[0]!, new Date()),
      await findInvitation(db, tokens[1]!, new Date()),
    ]);
    const accept = (place: number) =>
      service.database.onPlatform('write', (db) =>
        acceptInvitation(db, found[place]!, { passwordHash: 'none', fullName: 'Sahip' }, FROM, new Date()),
      );
    const joined = await Promise.all([accept(0), accept(1)]);
    expect(joined.filter((id) => id !== null)).toHaveLength(1);
  });
});

describe('the database', () => {
  const inserted = (accountId: string, email: string, decisionId: string | null = null) =>
    service.database.onPlatform('write', (db) =>
      invite(
        db,
        { accountId, email, fullName: 'Sahip', role: 'owner', invitedBy: adminPerson.id, decisionId },
        TEST_ACTOR,
        new Date(),
      ),
    );
  const CONSENT = { constraint: 'invitations_owner_consent' };

  test('refuses an administrator as owner without a decision, and one whom the administrator confirmed alone', async () => {
    const { accountId } = await newDealer();
    await expect(inserted(accountId, adminPerson.email)).rejects.toMatchObject(CONSENT);
    const id = crypto.randomUUID();
    await service.database.onPlatform('write', (db) =>
      db.exec(sql`insert into admin_decisions (id, kind, dealer_id, subject, details, status, alone, first_by, first_at)
        values (${id}, 'owner_invitation', ${accountId}, ${accountId}, ${{ email: 'x@example.com' }}::jsonb, 'approved', true,
          ${adminPerson.id}, now())`),
    );
    await expect(inserted(accountId, 'x@example.com', id)).rejects.toMatchObject(CONSENT);
    await expect(inserted(await service.account(), adminPerson.email)).rejects.toMatchObject(CONSENT);
  });

  test('refuses a person without the right as the second', async () => {
    const { accountId } = await newDealer();
    const seller = await newPerson(service, { accountId, role: 'sales' });
    const confirmed = service.database.onPlatform('write', (db) =>
      db.exec(sql`insert into admin_decisions (id, kind, dealer_id, subject, status, first_by, first_at, second_by, second_at)
        values (${crypto.randomUUID()}, 'owner_invitation', ${accountId}, ${accountId}, 'approved', ${adminPerson.id}, now(), ${seller.id}, now())`),
    );
    await expect(confirmed).rejects.toMatchObject({ constraint: 'admin_decisions_second_right' });
  });
});
