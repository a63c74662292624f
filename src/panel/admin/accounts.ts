// Administration of dealers' accounts: search, create with an invitation for the owner, suspend, and their keys.
import { AccountRefusal, COUNTRIES, createAccount } from '../../domain/accounts/accounts.ts';
import { setSuspended } from '../../domain/accounts/suspension.ts';
import { invite } from '../../domain/identity/invitations.ts';
import { AUTHORIZATIONS, type Authorization } from '../../domain/keys/key-policy.ts';
import { LINK_MAILS, queueMail } from '../../domain/mail/mail-queue.ts';
import { listField, nullable, oneOfField, required, textField } from '../../domain/records/fields.ts';
import { emailField, phoneField } from '../../domain/records/person-fields.ts';
import { TROUBLE } from '../../domain/usage/outcome.ts';
import { audit } from '../../domain/writes/audit.ts';
import type { Db } from '../../kit/db.ts';
import { fail, type Locale } from '../../kit/errors.ts';
import { CURRENCIES } from '../../kit/money.ts';
import { oneOfParam, paging, textParam } from '../../kit/params.ts';
import { allOf, type Sql, sql } from '../../kit/sql.ts';
import { listed, panelDelete, panelGet, panelPost } from '../endpoint.ts';
import type { PanelServices } from '../services.ts';
import { type AdminAccountLine, accountView } from './account-views.ts';

/** The link is shown once, to whoever made it. */
export interface OwnerInvitation {
  readonly account_id: string;
  readonly email: string;
  readonly link: string;
  readonly expires_at: string;
  /** Also sent to the owner's address. */
  readonly mailed: boolean;
}

const OWNER = { owner_email: required(emailField), owner_full_name: required(textField(120)) };
const REASON = textField(500, { lines: true });

export const adminAccountRows = [
  panelGet('admin/accounts', {
    who: 'admin',
    door: 'platform',
    query: { ...paging, q: textParam(120), status: oneOfParam(['Aktif', 'Askıda']) },
    run: async ({ db, query, realNow }) => {
      const { q, status, limit, offset } = query;
      const where: Sql[] = [];
      if (q !== undefined)
        where.push(sql`position(fold_tr(${q}) in fold_tr(name || ' ' || coalesce(city, '') || ' ' || id::text)) > 0`);
      if (status !== undefined) where.push(sql`status = ${status}`);
      const day = new Date(realNow.getTime() - 86_400_000);
      const found = await db.rows<AdminAccountLine & { total: number }>(sql`
        with page as (select *, count(*) over ()::int as total from accounts where true${allOf(where)}
          order by created_at desc, id desc limit ${limit + 1} offset ${offset})
        select p.id, p.name, p.city, p.country, p.status, utc_text(p.created_at) as created_at, p.total,
          (select count(*)::int from members m where m.account_id = p.id and m.active and m.person_id is not null) as people,
          keys.*
        from page p
        cross join lateral (
          select count(distinct k.id)::int as keys, coalesce(sum(u.calls), 0)::float8 as calls_24h,
            ${TROUBLE.calls} as errors_24h
          from api_keys k left join usage_calls u on u.account_id = k.account_id and u.key_id = k.id and u.hour > ${day}
          where k.account_id = p.id and k.revoked_at is null
        ) keys
        order by p.created_at desc, p.id desc`);
      return listed(
        found.map(({ total: _, ...line }) => line),
        query,
        found[0]?.total ?? 0,
      );
    },
  }),
  panelGet('admin/accounts/{account_id}', {
    who: 'admin',
    door: 'platform',
    run: ({ db, params, realNow }) => accountView(db, params.account_id, realNow),
  }),
  panelPost('admin/accounts', {
    who: 'admin',
    door: 'platform',
    recent: true,
    takes: {
      name: required(textField(120)),
      legal_name: nullable(textField(200)),
      city: nullable(textField(60)),
      country: required(oneOfField(COUNTRIES)),
      currency: required(oneOfField(CURRENCIES)),
      phone: nullable(phoneField),
      email: nullable(emailField),
      ...OWNER,
    },
    run: async ({ db, body, session, services, actor, locale, now, realNow }): Promise<OwnerInvitation> => {
      const { owner_email, owner_full_name, ...given } = body;
      const account = await createAccount(db, given, actor, now).catch((error) => {
        throw error instanceof AccountRefusal ? new Error('the fields were checked before', { cause: error }) : error;
      });
      const owner = { accountId: account.id, email: owner_email, fullName: owner_full_name, role: 'owner' as const };
      const { token, expires_at } = await invite(db, { ...owner, invitedBy: session.person.id }, actor, realNow);
      return handOver(db, services, {
        account_id: account.id,
        name: account.name,
        email: owner_email,
        token,
        expires_at,
        locale,
        realNow,
      });
    },
  }),
  panelPost('admin/accounts/{account_id}/owner-invitations', {
    who: 'admin',
    door: 'platform',
    recent: true,
    takes: OWNER,
    run: async ({ db, params, body, session, services, actor, locale, realNow }): Promise<OwnerInvitation> => {
      const accountId = params.account_id;
      const { name, status } = await db.one<{ name: string; status: string }>(
        sql`select name, status from accounts where id = ${accountId}`,
      );
      if (status === 'Askıda') fail('account_suspended');
      const owner = { accountId, email: body.owner_email, fullName: body.owner_full_name, role: 'owner' as const };
      const { token, expires_at } = await invite(db, { ...owner, invitedBy: session.person.id }, actor, realNow);
      return handOver(db, services, { account_id: accountId, name, email: body.owner_email, token, expires_at, locale, realNow });
    },
  }),
  panelPost('admin/accounts/{account_id}/suspension', {
    who: 'admin',
    door: 'platform',
    recent: true,
    takes: { name: required(textField(120)), reason: required(REASON) },
    run: async ({ db, params, body, actor, locale, now }) => {
      const { name } = await db.one<{ name: string }>(
        sql`select name from accounts where id = ${params.account_id} for no key update`,
      );
      if (body.name !== name) wrongName(locale);
      if (!(await setSuspended(db, params.account_id, true, body.reason, actor, now))) fail('conflict');
      return { status: 'Askıda' };
    },
  }),
  panelDelete('admin/accounts/{account_id}/suspension', {
    who: 'admin',
    door: 'platform',
    recent: true,
    takes: { reason: nullable(REASON) },
    run: async ({ db, params, body, actor, now }) => {
      await db.one(sql`select 1 as found from accounts where id = ${params.account_id} for no key update`);
      if (!(await setSuspended(db, params.account_id, false, body.reason ?? null, actor, now))) fail('conflict');
      return { status: 'Aktif' };
    },
  }),
  panelPost('admin/keys/{key_id}/authorizations', {
    who: 'admin',
    door: 'platform',
    recent: true,
    takes: { authorizations: required(listField(oneOfField(AUTHORIZATIONS), AUTHORIZATIONS.length)) },
    run: async ({ db, params, body, actor }) => {
      const key = await db.one<{ account_id: string; authorizations: Authorization[]; revoked: boolean }>(
        sql`select account_id, authorizations, revoked_at is not null as revoked from api_keys where id = ${params.key_id} for update`,
      );
      if (key.revoked) fail('key_ended');
      const authorizations = AUTHORIZATIONS.filter((one) => body.authorizations.includes(one));
      await db.exec(sql`update api_keys set authorizations = ${authorizations}, updated_at = now()
        where account_id = ${key.account_id} and id = ${params.key_id}`);
      await audit(db, actor, 'key.authorized', params.key_id, {
        accountId: key.account_id,
        before: { authorizations: key.authorizations },
        after: { authorizations },
      });
      return { authorizations };
    },
  }),
];

interface Handed {
  readonly account_id: string;
  readonly name: string;
  readonly email: string;
  readonly token: string;
  readonly expires_at: Date;
  readonly locale: Locale;
  readonly realNow: Date;
}

/** Returns the link, and mails it to the owner where the service sends mail. */
async function handOver(db: Db, services: PanelServices, handed: Handed): Promise<OwnerInvitation> {
  const { account_id, name, email, token, expires_at, locale, realNow } = handed;
  const link = `${services.publicUrl()}/panel/davet/${token}`;
  if (services.canMail) await queueMail(db, services.vault, { to: email, ...LINK_MAILS.invitation[locale](link, name) }, realNow);
  return { account_id, email, link, expires_at: expires_at.toISOString(), mailed: services.canMail };
}

function wrongName(locale: Locale): never {
  const message = { en: "type the account's name exactly", tr: 'hesabın adını aynen yazın' }[locale];
  return fail('validation_failed', { details: [{ field: 'name', code: 'different', message }] });
}
