// Administration of dealers' accounts: search, create with an invitation for the owner, suspend, and their keys.
import { AccountRefusal, COUNTRIES, createAccount } from '../../domain/accounts/accounts.ts';
import { setSuspended } from '../../domain/accounts/suspension.ts';
import { requireInvitable } from '../../domain/identity/members.ts';
import { authorizeKey } from '../../domain/keys/key-authorizations.ts';
import { AUTHORIZATIONS } from '../../domain/keys/key-policy.ts';
import { listField, nullable, oneOfField, required, textField } from '../../domain/records/fields.ts';
import { emailField, phoneField } from '../../domain/records/person-fields.ts';
import { inLog } from '../../kit/db.ts';
import { fail, type Locale } from '../../kit/errors.ts';
import { CURRENCIES } from '../../kit/money.ts';
import { oneOfParam, paging, textParam } from '../../kit/params.ts';
import { allOf, type Sql, sql } from '../../kit/sql.ts';
import { panelDelete, panelGet, panelPost } from '../kit/endpoint.ts';
import { accountView, callsOfAccounts, type FoundAccount, withCalls } from './account-views.ts';
import { deciderOf } from './decider.ts';
import { inviteOwner, type OwnerInvitation } from './owners.ts';

const OWNER = { owner_email: required(emailField), owner_full_name: required(textField(120)) };
const REASON = textField(500, { lines: true });

export const adminAccountEndpoints = [
  panelGet('admin/accounts', {
    who: 'admin',
    databaseRole: 'platform',
    query: { ...paging, q: textParam(120), status: oneOfParam(['Aktif', 'Askıda']) },
    run: async ({ db, query, realNow }) => {
      const { q, status, limit, offset } = query;
      const where: Sql[] = [];
      if (q !== undefined)
        where.push(sql`position(fold_tr(${q}) in fold_tr(name || ' ' || coalesce(city, '') || ' ' || id::text)) > 0`);
      if (status !== undefined) where.push(sql`status = ${status}`);
      const day = new Date(realNow.getTime() - 86_400_000);
      const found = await db.rows<FoundAccount>(sql`
        with page as (select *, count(*) over ()::int as total from accounts where true${allOf(where)}
          order by created_at desc, id desc limit ${limit + 1} offset ${offset})
        select p.id, p.name, p.city, p.country, p.status, utc_text(p.created_at) as created_at, p.total,
          (select count(*)::int from members m where m.account_id = p.id and m.active and m.person_id is not null) as people,
          array(select k.id from api_keys k where k.account_id = p.id and k.revoked_at is null) as key_ids
        from page p order by p.created_at desc, p.id desc`);
      return inLog(
        async (log) => withCalls(found, query, await callsOfAccounts(log, found, day)),
        () => withCalls(found, query, null),
      );
    },
  }),
  panelGet('admin/accounts/{account_id}', {
    who: 'admin',
    databaseRole: 'platform',
    run: ({ db, params, realNow }) => accountView(db, params.account_id, realNow),
  }),
  panelPost('admin/accounts', {
    who: 'admin',
    databaseRole: 'platform',
    recent: true,
    bodySchema: {
      name: required(textField(120)),
      legal_name: nullable(textField(200)),
      city: nullable(textField(60)),
      country: required(oneOfField(COUNTRIES)),
      currency: required(oneOfField(CURRENCIES)),
      phone: nullable(phoneField),
      email: nullable(emailField),
      ...OWNER,
    },
    run: async (context): Promise<OwnerInvitation> => {
      const { db, body, actor, now } = context;
      const { owner_email: email, owner_full_name: fullName, ...fields } = body;
      const account = await createAccount(db, fields, actor, now).catch((error) => {
        throw error instanceof AccountRefusal ? new Error('the fields were checked before', { cause: error }) : error;
      });
      return inviteOwner(context, { accountId: account.id, email, fullName });
    },
  }),
  panelPost('admin/accounts/{account_id}/owner-invitations', {
    who: 'admin',
    databaseRole: 'platform',
    recent: true,
    bodySchema: OWNER,
    run: async (context): Promise<OwnerInvitation> => {
      const { db, params, body } = context;
      const accountId = params.account_id;
      const { status } = await db.one<{ status: string }>(sql`select status from accounts where id = ${accountId}`);
      if (status === 'Askıda') fail('account_suspended');
      await requireInvitable(db, accountId, body.owner_email, null);
      return inviteOwner(context, { accountId, email: body.owner_email, fullName: body.owner_full_name });
    },
  }),
  panelPost('admin/accounts/{account_id}/suspension', {
    who: 'admin',
    databaseRole: 'platform',
    recent: true,
    bodySchema: { name: required(textField(120)), reason: required(REASON) },
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
    databaseRole: 'platform',
    recent: true,
    bodySchema: { reason: nullable(REASON) },
    run: async ({ db, params, body, actor, now }) => {
      await db.one(sql`select 1 as found from accounts where id = ${params.account_id} for no key update`);
      if (!(await setSuspended(db, params.account_id, false, body.reason ?? null, actor, now))) fail('conflict');
      return { status: 'Aktif' };
    },
  }),
  panelPost('admin/keys/{key_id}/authorizations', {
    who: 'admin',
    databaseRole: 'platform',
    recent: true,
    bodySchema: { authorizations: required(listField(oneOfField(AUTHORIZATIONS), AUTHORIZATIONS.length)) },
    run: async (context): Promise<{ readonly waits_for_second: boolean }> => {
      const { db, params, body } = context;
      const { waits } = await authorizeKey(db, params.key_id, body.authorizations, deciderOf(context));
      return { waits_for_second: waits };
    },
  }),
];

function wrongName(locale: Locale): never {
  const message = { en: "type the account's name exactly", tr: 'hesabın adını aynen yazın' }[locale];
  return fail('validation_failed', { details: [{ field: 'name', code: 'different', message }] });
}
