// The signed-in person: the session, their other sessions, the current account, their name, password and second factor.
import {
  clearTotp,
  hashPassword,
  isPassword,
  type Membership,
  membershipsOf,
  passwordFault,
  passwordField,
  passwordHashOf,
  setPassword,
} from '../../domain/identity/people.ts';
import {
  endSession,
  endSessionsOf,
  enterAccount,
  listSessions,
  lookAt,
  reauthenticated,
  renewSession,
  type SessionLine,
} from '../../domain/identity/sessions.ts';
import { spendCode, totpCell } from '../../domain/identity/sign-in.ts';
import { countTry, forgetTries, triesOfSession } from '../../domain/identity/sign-in-tries.ts';
import { newRecoveryCodes, newTotpSecret, recoveryDigest, totpUri } from '../../domain/identity/totp.ts';
import { oneOfField, required, textField, uuidField } from '../../domain/records/fields.ts';
import { seal } from '../../domain/vault/vault.ts';
import { audit } from '../../domain/writes/audit.ts';
import type { Db } from '../../kit/db.ts';
import { fail, type Locale } from '../../kit/errors.ts';
import { joined, rawSql, sql } from '../../kit/sql.ts';
import { type PanelAccount, type PanelSession, panelDelete, panelGet, panelPatch, panelPost } from '../kit/endpoint.ts';
import { mayEnterSandbox } from '../kit/sandbox-rights.ts';
import type { PanelServices } from '../kit/services.ts';

/** The answer of `GET session`, and of every endpoint that changes the session. */
export interface SessionView {
  readonly person: PanelSession['person'] & { readonly has_totp: boolean };
  /** The accounts to which the person may switch. */
  readonly accounts: readonly Membership[];
  /** In the isolated sandbox its id and time zone are those of the sandbox. */
  readonly account: PanelAccount | null;
  /** Whether the person may open the isolated sandbox of the account; false with SANDBOX=shared. */
  readonly may_use_sandbox: boolean;
  /** An administrator views the account read-only. */
  readonly look: boolean;
  /** The X-CSRF-Token for every request that is not a GET. */
  readonly csrf: string;
  readonly preferences: {
    readonly locale: Locale;
    readonly theme: (typeof THEMES)[number];
    readonly density: (typeof DENSITIES)[number];
  };
  /** The person or the account belongs to the demonstration. */
  readonly demo: boolean;
  /** `GET key-review` has keys that an owner of the account has not seen yet. */
  readonly has_key_review: boolean;
  /** `GET webhook-review` has webhooks that an owner of the account has not seen yet. */
  readonly has_webhook_review: boolean;
  readonly version: string;
  /** Business time minus real time: 0 where no clock was moved. */
  readonly clock_offset_ms: number;
}

/** A line of `GET sessions`. */
export type SessionListLine = SessionLine & { readonly current: boolean };

const THEMES = ['system', 'light', 'dark'] as const;
const DENSITIES = ['compact', 'normal', 'comfortable'] as const;

export const sessionEndpoints = [
  panelGet('session', {
    who: 'person',
    databaseRole: 'platform',
    // In the isolated sandbox: its account and its time.
    ofOwner: false,
    run: async ({ db, session, csrf, services, realNow }) => inWorld(await viewOf(db, session, csrf, services), session, realNow),
  }),
  panelPost('session/account', {
    who: 'person',
    databaseRole: 'platform',
    bodySchema: { account_id: required(uuidField) },
    run: async ({ db, session, body, csrf, services, actor, giveToken }) => {
      const accountId = body.account_id;
      if (!(await enterAccount(db, session.id, session.person.id, accountId))) fail('not_found');
      giveToken(await renewSession(db, session.id));
      await audit(db, actor, 'session.account', accountId, { accountId });
      return viewOf(db, session, csrf, services);
    },
  }),
  panelPost('session/look', {
    who: 'admin',
    databaseRole: 'platform',
    bodySchema: { account_id: required(uuidField) },
    run: async ({ db, session, body, csrf, services, actor, giveToken }) => {
      const accountId = body.account_id;
      await db.one(sql`select 1 as found from accounts where id = ${accountId}`);
      await lookAt(db, session.id, accountId);
      giveToken(await renewSession(db, session.id));
      await audit(db, actor, 'account.looked_at', accountId, { accountId });
      return viewOf(db, session, csrf, services);
    },
  }),
  // For anyone, because an administrator who views an account may change nothing else.
  panelPost('session/end-look', {
    who: 'person',
    databaseRole: 'platform',
    run: async ({ db, session, csrf, services, giveToken }) => {
      await lookAt(db, session.id, null);
      giveToken(await renewSession(db, session.id));
      return viewOf(db, session, csrf, services);
    },
  }),
  panelPost('session/reauthenticate', {
    who: 'person',
    databaseRole: 'none',
    bodySchema: { password: required(passwordField) },
    run: async ({ session, body, services, realNow, actor }) => {
      await requirePassword(services, session, body.password, realNow);
      await services.database.onPlatform('write', async (db) => {
        await reauthenticated(db, session.id, realNow);
        await audit(db, actor, 'session.reauthenticated', session.id);
      });
      return { reauthenticated: true };
    },
  }),
  panelGet('sessions', {
    who: 'person',
    databaseRole: 'platform',
    run: async ({ db, session, realNow }): Promise<SessionListLine[]> =>
      (await listSessions(db, session.person.id, realNow)).map((line) => ({ ...line, current: line.id === session.id })),
  }),
  panelDelete('sessions/{session_id}', {
    who: 'person',
    databaseRole: 'platform',
    run: async ({ db, session, params, actor, giveToken }) => {
      if (!(await endSession(db, params.session_id, session.person.id))) fail('not_found');
      await audit(db, actor, 'session.ended', params.session_id);
      if (params.session_id === session.id) giveToken(null);
      return { ended: true };
    },
  }),
  panelPost('sessions/sign-out-everywhere', {
    who: 'person',
    databaseRole: 'platform',
    run: async ({ db, session, actor, giveToken }) => {
      const ended = await endSessionsOf(db, session.person.id, null);
      await audit(db, actor, 'session.ended_everywhere', session.person.id, { after: { ended } });
      giveToken(null);
      return { ended };
    },
  }),
  panelPatch('me', {
    who: 'person',
    databaseRole: 'platform',
    bodySchema: {
      full_name: textField(120),
      locale: oneOfField(['tr', 'en']),
      theme: oneOfField(THEMES),
      density: oneOfField(DENSITIES),
    },
    run: async ({ db, session, body, actor }) => {
      const changes = Object.entries(body).map(([name, value]) => sql`${rawSql(name)} = ${value}`);
      if (changes.length > 0)
        await db.exec(sql`update people set ${joined(changes, ', ')}, updated_at = now() where id = ${session.person.id}`);
      if (body.full_name !== undefined)
        await audit(db, actor, 'person.changed', session.person.id, { after: { full_name: body.full_name } });
      return db.one(sql`select full_name, locale, theme, density from people where id = ${session.person.id}`);
    },
  }),
  panelPost('me/password', {
    who: 'person',
    databaseRole: 'none',
    bodySchema: { password: required(passwordField), new_password: required(passwordField) },
    run: async ({ session, body, services, realNow, actor, locale, giveToken }) => {
      const { person } = session;
      const fault = passwordFault(body.new_password, person.email);
      if (fault !== null)
        fail('validation_failed', { details: [{ field: 'new_password', code: 'weak', message: fault[locale] }] });
      await requirePassword(services, session, body.password, realNow);
      const hash = await hashPassword(body.new_password, person.id);
      await services.database.onPlatform('write', async (db) => {
        await setPassword(db, person.id, hash, session.id);
        giveToken(await renewSession(db, session.id));
        await audit(db, actor, 'password.changed', person.id);
      });
      return { changed: true };
    },
  }),
  panelPost('me/totp', {
    who: 'person',
    databaseRole: 'platform',
    recent: true,
    run: async ({ db, session, services }) => {
      const { id, email } = session.person;
      const secret = newTotpSecret();
      const set = await db.exec(sql`update people set totp_secret_encrypted = ${seal(services.vault, totpCell(id), secret)}
        where id = ${id} and totp_confirmed_at is null`);
      if (set === 0) fail('conflict');
      return { secret, uri: totpUri(secret, email) };
    },
  }),
  panelPost('me/totp/confirm', {
    who: 'person',
    databaseRole: 'platform',
    recent: true,
    bodySchema: { code: required(textField(20)) },
    run: async ({ db, session, services, body, realNow, actor }) => {
      const { id } = session.person;
      if ((await spendCode(db, services.vault, id, body.code, realNow)) !== 'app') fail('wrong_code');
      const codes = newRecoveryCodes();
      const set =
        await db.exec(sql`update people set totp_confirmed_at = ${realNow}, recovery_digests = ${codes.map(recoveryDigest)}
        where id = ${id} and totp_confirmed_at is null`);
      if (set === 0) fail('conflict');
      await audit(db, actor, 'totp.set_up', id);
      return { recovery_codes: codes };
    },
  }),
  panelDelete('me/totp', {
    who: 'person',
    databaseRole: 'platform',
    recent: true,
    run: async ({ db, session, actor }) => {
      const { id } = session.person;
      await clearTotp(db, id);
      await audit(db, actor, 'totp.removed', id);
      return { removed: true };
    },
  }),
];

async function viewOf(db: Db, session: PanelSession, csrf: string, services: PanelServices): Promise<SessionView> {
  const { id } = session.person;
  const person =
    await db.one<Person>(sql`select p.full_name, p.locale, p.theme, p.density, p.totp_confirmed_at is not null as has_totp,
      s.look, s.current_account,
      p.is_demo or coalesce((select a.is_demo from accounts a where a.id = s.current_account), false) as demo,
      exists (select from accounts a where a.id = s.current_account and a.keys_reviewed_at is null) as has_key_review,
      exists (select from accounts a join webhooks w on w.account_id = a.id and w.deleted_at is null
        where a.id = s.current_account and a.webhooks_reviewed_at is null) as has_webhook_review
    from people p join sessions s on s.person_id = p.id and s.id = ${session.id} where p.id = ${id}`);
  const accounts = await membershipsOf(db, id);
  const look = person.look && session.person.is_admin;
  const account = person.current_account === null ? null : await accountOf(db, person.current_account, id, look);
  return {
    person: { ...session.person, full_name: person.full_name, has_totp: person.has_totp },
    accounts,
    account,
    may_use_sandbox: services.sandbox !== null && mayEnterSandbox({ account, look }),
    look,
    csrf,
    preferences: { locale: person.locale ?? session.person.locale, theme: person.theme, density: person.density },
    demo: person.demo,
    has_key_review: person.has_key_review,
    has_webhook_review: person.has_webhook_review,
    version: services.version,
    clock_offset_ms: services.clockOffset(),
  };
}

function inWorld(view: SessionView, { account }: PanelSession, realNow: Date): SessionView {
  if (!account?.world) return view;
  const { world, ...shown } = account;
  return { ...view, account: shown, clock_offset_ms: world.now.getTime() - realNow.getTime() };
}

interface Person {
  full_name: string;
  locale: Locale | null;
  theme: (typeof THEMES)[number];
  density: (typeof DENSITIES)[number];
  has_totp: boolean;
  look: boolean;
  current_account: string | null;
  demo: boolean;
  has_key_review: boolean;
  has_webhook_review: boolean;
}

/** Read again after a switch, because the session in memory was read before it. */
async function accountOf(db: Db, accountId: string, personId: string, look: boolean): Promise<PanelAccount | null> {
  const [found] = await db.rows<PanelAccount>(sql`
    select a.id, a.name, a.timezone, a.default_currency, a.status, case when ${look} then 'viewer' else m.role end as role,
      case when ${look} then null else m.id end as member_id
    from accounts a left join members m on m.account_id = a.id and m.person_id = ${personId} and m.active
    where a.id = ${accountId} and (${look} or m.id is not null)`);
  return found ?? null;
}

/** Attempts are counted per session, so that failed sign-ins elsewhere do not block a signed-in person. */
async function requirePassword(
  services: PanelServices,
  { id, person }: PanelSession,
  password: string,
  realNow: Date,
): Promise<void> {
  const { database } = services;
  const tried = triesOfSession(id);
  const counted = await countTry(database, tried, realNow, (db) => passwordHashOf(db, person.id));
  if (counted.wait !== null)
    fail('too_many_attempts', { headers: { 'Retry-After': String(counted.wait) }, words: { seconds: counted.wait } });
  if (!(await isPassword(password, counted.value, person.id))) fail('wrong_password');
  await database.onPlatform('write', (db) => forgetTries(db, tried));
}
