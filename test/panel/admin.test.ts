// Administration: suspending, raising limits (two administrators: four-eyes.test.ts), opening endpoints, and the notifications of
// key owners.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/kit/ids.ts';
import { sql } from '../../src/kit/sql.ts';
import type { BannerLine } from '../../src/panel/account/banners.ts';
import type { AdminAccountView } from '../../src/panel/admin/account-views.ts';
import type { LimitRequestLine } from '../../src/panel/admin/limits.ts';
import type { ReleaseLine, ReleaseView } from '../../src/panel/admin/releases.ts';
import { type TestService, testService } from '../support/service.ts';
import { without } from '../support/unbuilt.ts';
import { Browser, newPerson, PASSWORD, signedIn, type TestPerson } from './people.ts';

let service: TestService;
let accountId: string;
let ownerPerson: TestPerson;
let owner: Browser;
let admin: Browser;
let adminPerson: TestPerson;
beforeAll(async () => {
  service = await testService({ resources: without('GET live-auctions', 'GET network-auctions') });
  accountId = await service.account({ name: 'Çınar Oto', city: 'Lefkoşa' });
  ownerPerson = await newPerson(service, { accountId });
  adminPerson = await newPerson(service, { admin: true });
  owner = await signedIn(service, ownerPerson);
  admin = await signedIn(service, adminPerson);
});
afterAll(() => service.close());

const post = (who: Browser, path: string, body: unknown = {}) => who.api(path, { method: 'POST', body });

/** As the dealer's key screen writes it. */
async function requestLimit(keyId: string, perMinute: number, personId = ownerPerson.id, account = accountId): Promise<string> {
  const id = newId();
  await service.database.onPlatform('write', (db) =>
    db.exec(sql`insert into limit_requests (account_id, id, key_id, asked_per_minute, reason, asked_by)
      values (${account}, ${id}, ${keyId}, ${perMinute}, 'Kampanya', ${personId})`),
  );
  return id;
}

describe('accounts', () => {
  test('are found with any spelling of letters, with keys and calls', async () => {
    await service.account({ name: 'Işık Motors' });
    await service.key(accountId);
    for (const typed of ['cinar', 'ÇINAR', 'lefkosa']) {
      const found = await admin.api(`admin/accounts?q=${encodeURIComponent(typed)}`);
      expect(found.json.data.map((account: { name: string }) => account.name)).toEqual(['Çınar Oto']);
      expect(found.json.data[0]).toMatchObject({ keys: 1, people: 1, calls_24h: 0, status: 'Aktif' });
    }
    expect((await admin.api('admin/accounts?limit=1')).json.meta).toMatchObject({ count: 1, has_more: true, total: 2 });
  });

  test('are created with a link for the owner, who then signs in', async () => {
    const made = await post(admin, 'admin/accounts', {
      name: 'Yeni Galeri',
      country: 'KKTC',
      currency: 'STG',
      owner_email: 'sahip@example.com',
      owner_full_name: 'Sahip Yeni',
    });
    expect(made.status).toBe(200);
    const { link, account_id } = made.json.data;
    const visitor = new Browser(service.service.url);
    const path = new URL(link).pathname;
    await visitor.submit(path, { full_name: 'Sahip Yeni', password: PASSWORD, password_again: PASSWORD });
    await visitor.signIn('sahip@example.com');
    expect((await visitor.readSession()).json.data.account).toMatchObject({ id: account_id, name: 'Yeni Galeri', role: 'owner' });
    const view = (await admin.api(`admin/accounts/${account_id}`)).json.data as AdminAccountView;
    expect(view.invitations).toEqual([]);
    expect(view.members).toEqual([expect.objectContaining({ email: 'sahip@example.com', role: 'owner' })]);
  });

  test('report every invalid field', async () => {
    const answer = await post(admin, 'admin/accounts', { name: '', country: 'DE', owner_email: 'x' });
    expect(answer.status).toBe(422);
    expect(answer.json.error.details.map((detail: { field: string }) => detail.field).sort()).toEqual([
      'country',
      'currency',
      'name',
      'owner_email',
      'owner_full_name',
    ]);
  });

  test('are suspended with their name and a reason: reads continue, writes stop, in the panel and for keys', async () => {
    const id = await service.account({ name: 'Askı Oto' });
    const member = await signedIn(service, await newPerson(service, { accountId: id }));
    const key = await service.key(id, { template: 'vehicle' });
    const path = `admin/accounts/${id}/suspension`;
    const wrong = await post(admin, path, { name: 'aski oto', reason: 'Ödeme yok' });
    expect([wrong.status, wrong.json.error.details[0].field]).toEqual([422, 'name']);
    expect((await post(admin, path, { name: 'Askı Oto' })).status).toBe(422);
    expect((await post(admin, path, { name: 'Askı Oto', reason: 'Ödeme yok' })).status).toBe(200);
    expect((await post(admin, path, { name: 'Askı Oto', reason: 'Ödeme yok' })).status).toBe(409);
    await service.settled();
    expect((await service.call('vehicles', { key: key.secret })).status).toBe(200);
    const vote = await post(member, 'catalog/get-sales/vote', { blocks_go_live: false });
    expect(vote.json.error.code).toBe('account_suspended');
    expect((await member.api('catalog')).status).toBe(200);
    const view = (await admin.api(`admin/accounts/${id}`)).json.data as AdminAccountView;
    expect(view.suspended).toMatchObject({ reason: 'Ödeme yok', by: adminPerson.email });
    expect((await admin.api(path, { method: 'DELETE', body: {} })).status).toBe(200);
    expect((await post(member, 'catalog/get-sales/vote', { blocks_go_live: false })).status).toBe(200);
  });

  test('can be viewed without changing anything, until the view is ended', async () => {
    const looking = await signedIn(service, adminPerson);
    expect((await post(looking, 'session/look', { account_id: accountId })).status).toBe(200);
    const { data } = (await looking.readSession()).json;
    expect(data).toMatchObject({ look: true, account: { id: accountId } });
    expect((await looking.api('v1/vehicles')).status).toBe(200);
    expect((await post(looking, 'catalog/get-sales/vote', { blocks_go_live: false })).json.error.code).toBe('look_only');
    expect((await post(looking, 'session/end-look')).status).toBe(200);
    expect((await looking.readSession()).json.data).toMatchObject({ look: false, account: null });
    const acts = await admin.api(`admin/audit?subject=account&account_id=${accountId}`);
    expect(acts.json.data[0]).toMatchObject({ action: 'account.looked_at', account: 'Çınar Oto', actor: adminPerson.email });
  });

  test('are limited to administrators', async () => {
    for (const path of ['admin/accounts', 'admin/releases', 'admin/limit-requests', 'admin/audit', 'admin/administrators'])
      expect((await owner.api(path)).json.error.code).toBe('not_permitted');
  });
});

describe('keys', () => {
  test('receive special authorizations, which the API applies', async () => {
    const key = await service.key(accountId, { name: 'Müzayede botu' });
    const input = await post(admin, `admin/keys/${key.id}/authorizations`, {
      authorizations: ['live_auction_bid', 'live_auction_bid'],
    });
    expect(input.json.data).toEqual({ waits_for_second: false });
    expect((await post(admin, `admin/keys/${key.id}/authorizations`, { authorizations: ['everything'] })).status).toBe(422);
    const [act] = (await admin.api(`admin/audit?target=${key.id}`)).json.data;
    expect(act).toMatchObject({
      action: 'key.authorized',
      before: { authorizations: [] },
      after: { authorizations: ['live_auction_bid'] },
      actor_name: expect.stringMatching(/^Kişi /),
      about: { kind: 'account', id: accountId, name: 'Müzayede botu' },
    });
  });
});

describe('limit requests', () => {
  test('show the key, its traffic and the reason, and take effect at once when approved', async () => {
    const key = await service.key(accountId, { name: 'Kampanya', limitPerMinute: 60 });
    const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
    await service.database.onPlatform('write', async (db) => {
      for (const [ago, error, calls] of [
        [1, '', 2000],
        [1, 'rate_limit_exceeded', 400],
        [3, '', 900],
        [24 * 8, '', 9999],
      ] as const)
        await db.exec(sql`insert into usage_calls (account_id, key_id, hour, endpoint, error_code, calls)
          values (${accountId}, ${key.id}, ${new Date(hour.getTime() - ago * 3_600_000)}, 'GET vehicles', ${error}, ${calls})`);
    });
    const id = await requestLimit(key.id, 300);
    const [line] = (await admin.api('admin/limit-requests?status=pending')).json.data as LimitRequestLine[];
    expect(line).toMatchObject({
      id,
      key_name: 'Kampanya',
      current_per_minute: 60,
      asked_per_minute: 300,
      reason: 'Kampanya',
      busiest_hour: 2400,
      rate_limited: 400,
      calls: 3300,
    });
    const rate = async () => (await service.call('developer/rate-limit', { key: key.secret })).json.data.limit_per_minute;
    expect(await rate()).toBe(60);
    expect((await post(admin, `admin/limit-requests/${id}/approve`, { per_minute: 240, note: 'Kampanya boyunca' })).status).toBe(
      200,
    );
    await service.settled();
    expect(await rate()).toBe(240);
    const [notice] = (await owner.api('notices')).json.data as BannerLine[];
    expect(notice).toMatchObject({ kind: 'limit.approved', data: { per_minute: 240, key: { name: 'Kampanya' } } });
  });

  test('are decided once, also by concurrent administrators', async () => {
    const key = await service.key(accountId, { limitPerMinute: 60 });
    const id = await requestLimit(key.id, 120);
    const second = await signedIn(service, await newPerson(service, { admin: true }));
    const answers = await Promise.all([
      post(admin, `admin/limit-requests/${id}/approve`, { per_minute: 120 }),
      post(second, `admin/limit-requests/${id}/refuse`, { note: 'Gerek yok' }),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
    expect(answers.find((answer) => answer.status === 409)?.json.error.code).toBe('decided_meanwhile');
  });

  test('of a revoked key cannot be approved, and a refusal states why', async () => {
    const key = await service.key(accountId, { limitPerMinute: 60 });
    const id = await requestLimit(key.id, 100);
    await service.database.onPlatform('write', (db) => db.exec(sql`update api_keys set revoked_at = now() where id = ${key.id}`));
    expect((await post(admin, `admin/limit-requests/${id}/approve`, { per_minute: 100 })).json.error.code).toBe('key_ended');
    expect((await post(admin, `admin/limit-requests/${id}/refuse`, {})).status).toBe(422);
    expect((await post(admin, `admin/limit-requests/${id}/refuse`, { note: 'Anahtar iptal' })).status).toBe(200);
  });
});

describe('the release board', () => {
  const ROW = 'get-vehicles-vehicle_id';
  const ID = 'GET vehicles/{vehicle_id}';

  test('orders endpoints by votes, then by those that block a go-live', async () => {
    const [one, two] = [await service.account(), await service.account()];
    const people = await Promise.all(
      [one, two].map(async (id) => signedIn(service, await newPerson(service, { accountId: id }))),
    );
    await post(people[0]!, 'catalog/get-tasks/vote', { blocks_go_live: false });
    await post(people[1]!, 'catalog/get-tasks/vote', { blocks_go_live: false, use_case: 'İş listesi' });
    await post(people[0]!, 'catalog/get-reports-overview/vote', { blocks_go_live: false });
    await post(people[0]!, 'catalog/get-live-auctions/vote', { blocks_go_live: true });
    const board = (await admin.api('admin/releases')).json.data as ReleaseLine[];
    expect(board).toHaveLength(185);
    const order = board.map((line) => line.id);
    expect(order[0]).toBe('GET tasks');
    expect(order.indexOf('GET live-auctions')).toBeLessThan(order.indexOf('GET sales'));
    const view = (await admin.api('admin/releases/get-tasks')).json.data as ReleaseView;
    expect(view).toMatchObject({ votes: 2, built: true });
    expect(view.asks.map((ask) => ask.use_case)).toContain('İş listesi');
    const unbuilt = (await admin.api('admin/releases/get-live-auctions')).json.data as ReleaseView;
    expect(unbuilt).toMatchObject({ votes: 1, built: false });
  });

  test('lists the keys that gain an endpoint, opens it at once, and notifies their owners', async () => {
    await service.release('Yakında', ID);
    const id = await service.account({ name: 'Kazanan Oto' });
    const member = await signedIn(service, await newPerson(service, { accountId: id }));
    const holder = await service.key(id, { name: 'Site', template: 'vehicle' });
    await service.key(id, { name: 'Muhasebe', template: 'accounting' });
    const vehicle = await service.vehicle(id);
    const call = () => service.call(`vehicles/${vehicle}`, { key: holder.secret });
    expect((await call()).status).toBe(501);
    const view = (await admin.api(`admin/releases/${ROW}`)).json.data as ReleaseView;
    expect(view.holding.filter((key) => key.account_id === id)).toEqual([
      expect.objectContaining({ name: 'Site', account: 'Kazanan Oto', refused: null }),
    ]);
    const opened = await post(admin, `admin/releases/${ROW}`, { status: 'Aktif' });
    expect(opened.json.data).toMatchObject({ changed: true, status: 'Aktif' });
    await service.settled();
    expect((await call()).status).toBe(200);
    expect((await member.api('catalog')).json.data.rows.find((row: { id: string }) => row.id === ID).status).toBe('Aktif');
    const docs = await service.call('/openapi.json');
    expect(docs.json.paths['/vehicles/{vehicle_id}'].get['x-status']).toBe('Aktif');
    const [notice] = (await member.api('notices')).json.data as BannerLine[];
    expect(notice).toMatchObject({ kind: 'row.opened', data: { endpoint: ID, keys: [{ name: 'Site' }] } });
    expect((await post(member, `notices/${notice!.id}/read`)).status).toBe(200);
    expect((await member.api('notices')).json.data).toEqual([]);
    expect((await post(admin, `admin/releases/${ROW}`, { status: 'Aktif' })).json.data).toMatchObject({
      changed: false,
      keys: 0,
    });
  });

  test('shows keys that stay refused, and why', async () => {
    const id = await service.account({ name: 'Kum Oto' });
    await service.key(id, { name: 'Deneme', environment: 'sandbox', template: 'vehicle' });
    const view = (await admin.api('admin/releases/post-vehicles')).json.data as ReleaseView;
    expect(view.holding.find((key) => key.account_id === id)).toMatchObject({ refused: 'sandbox_read_only' });
  });

  test('refuses to open an endpoint without a body, and says so', async () => {
    const answer = await post(admin, 'admin/releases/get-network-auctions', { status: 'Aktif' });
    expect([answer.status, answer.json.error.code]).toEqual([409, 'row_not_built']);
    expect(answer.json.error.message).toContain('GET network-auctions');
  });

  test('asks for the password when it was given long ago', async () => {
    const person = await newPerson(service, { admin: true });
    const tired = await signedIn(service, person);
    await service.database.onPlatform('write', (db) =>
      db.exec(
        sql`update sessions set reauthenticated_at = reauthenticated_at - interval '11 minutes' where person_id = ${person.id}`,
      ),
    );
    const answer = await post(tired, `admin/releases/${ROW}`, { status: 'Yakında' });
    expect(answer.json.error.code).toBe('reauthentication_required');
  });
});

describe('administrators', () => {
  test('are invited by a link and sign in with their own password', async () => {
    const invited = await post(admin, 'admin/administrators', { email: 'yeni.yonetici@example.com', full_name: 'Yeni Yönetici' });
    expect(invited.status).toBe(200);
    const waiting = async () =>
      (await admin.api('admin/administrators')).json.data.find(
        (one: { email: string }) => one.email === 'yeni.yonetici@example.com',
      ).waiting;
    expect(await waiting()).toBe(true);
    const visitor = new Browser(service.service.url);
    expect((await visitor.signIn('yeni.yonetici@example.com', 'none')).status).not.toBe(303);
    await visitor.submit(new URL(invited.json.data.link).pathname, { password: PASSWORD, password_again: PASSWORD });
    expect((await visitor.signIn('yeni.yonetici@example.com')).status).toBe(303);
    expect(await waiting()).toBe(false);
    expect((await visitor.api('admin/accounts')).status).toBe(200);
    const removed = await admin.api(`admin/administrators/${invited.json.data.id}`, { method: 'DELETE' });
    expect(removed.status).toBe(200);
    expect((await visitor.api('admin/accounts')).status).toBe(401);
  });

  test('who were removed can be invited again, without any of their former rights', async () => {
    const email = 'donen.yonetici@example.com';
    const invitation = async (full_name: string) => (await post(admin, 'admin/administrators', { email, full_name })).json.data;
    const first = await invitation('Giden');
    const visitor = new Browser(service.service.url);
    await visitor.submit(new URL(first.link).pathname, { password: PASSWORD, password_again: PASSWORD });
    expect((await visitor.signIn(email)).status).toBe(303);
    await admin.api(`admin/administrators/${first.id}`, { method: 'DELETE' });
    const again = await invitation('Dönen');
    expect(again.id).toBe(first.id);
    // Neither the old session nor the old password is valid again.
    expect((await visitor.api('admin/accounts')).status).toBe(401);
    expect((await visitor.signIn(email)).status).not.toBe(303);
    const fresh = 'bambaşka bir parola';
    await visitor.submit(new URL(again.link).pathname, { password: fresh, password_again: fresh });
    expect((await visitor.signIn(email, fresh)).status).toBe(303);
    expect((await visitor.api('admin/accounts')).status).toBe(200);
    const twice = await post(admin, 'admin/administrators', { email, full_name: 'Dönen' });
    expect(twice.json.error.code).toBe('email_taken');
    await admin.api(`admin/administrators/${first.id}`, { method: 'DELETE' });
  });

  test('cannot remove themselves or take a dealer’s user', async () => {
    const own = await admin.api(`admin/administrators/${adminPerson.id}`, { method: 'DELETE' });
    expect(own.json.error.code).toBe('last_admin');
    const taken = await post(admin, 'admin/administrators', { email: ownerPerson.email.toUpperCase(), full_name: 'X' });
    expect(taken.json.error.code).toBe('email_taken');
  });
});

describe('the audit log', () => {
  test('lists completed and denied actions, page by page', async () => {
    await owner.api('admin/accounts');
    const denied = await admin.api(`admin/audit?outcome=denied&actor=${encodeURIComponent(ownerPerson.email)}&limit=1`);
    expect(denied.json.data[0]).toMatchObject({ action: 'denied', target: 'GET admin/accounts', outcome: 'denied' });
    const first = await admin.api('admin/audit?limit=5');
    const next = await admin.api('admin/audit?limit=5&offset=5');
    const ids = [...first.json.data, ...next.json.data].map((entry: { id: string }) => entry.id);
    expect(new Set(ids).size).toBe(10);
    // Names in a dealer's records are not shown here.
    await service.release('Aktif', 'POST customers');
    const customer = await post(owner, 'v1/customers', { first_name: 'Gizli', last_name: 'Alıcı', phone: '+905338400001' });
    const [made] = (await admin.api(`admin/audit?target=${customer.json.data.id}`)).json.data;
    expect(made).toMatchObject({ action: 'POST customers', about: null, account_id: accountId });
    expect((await admin.api('admin/audit/subjects')).json.data).toEqual(expect.arrayContaining(['account', 'key', 'release']));
  });
});

describe('mail, where it is configured', () => {
  test('notifies key managers that an endpoint is live, each in their language', async () => {
    const office = await testService({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } });
    try {
      const id = await office.account({ name: 'Posta Oto' });
      const [turk, english] = [
        await newPerson(office, { accountId: id }),
        await newPerson(office, { accountId: id, role: 'developer' }),
      ];
      await newPerson(office, { accountId: id, role: 'sales' });
      await office.database.onPlatform('write', (db) => db.exec(sql`update people set locale = 'en' where id = ${english.id}`));
      await office.key(id, { name: 'Site', template: 'vehicle' });
      await office.release('Yakında', 'GET vehicles/{vehicle_id}');
      const keeper = await signedIn(office, await newPerson(office, { admin: true }));
      await post(keeper, 'admin/releases/get-vehicles-vehicle_id', { status: 'Aktif' });
      const mails = await office.database.onPlatform('read', (db) =>
        db.rows<{ recipient: string; subject: string }>(sql`select recipient, subject from mails order by recipient`),
      );
      expect(mails.map((mail) => mail.recipient)).toEqual([turk.email, english.email].sort());
      expect(mails.find((mail) => mail.recipient === turk.email)?.subject).toContain(
        'artık “Aracı getir” uç noktasını kullanabilir',
      );
      expect(mails.find((mail) => mail.recipient === english.email)?.subject).toContain('your keys can now use');
      const made = await post(keeper, 'admin/accounts', {
        name: 'Davet Oto',
        country: 'TR',
        currency: 'TL',
        owner_email: 'davetli@example.com',
        owner_full_name: 'Davetli',
      });
      expect(made.json.data.mailed).toBe(true);
    } finally {
      await office.close();
    }
  });
});
