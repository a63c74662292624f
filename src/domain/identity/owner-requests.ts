// A request by an administrator to add an owner to a dealer: an owner agrees, or a second administrator confirms, and every owner
// is informed by mail and a banner. The first owner of a dealer is invited at once. Everything here uses the platform role.
import type { Db } from '../../kit/db.ts';
import { fail, type Locale } from '../../kit/errors.ts';
import { sql } from '../../kit/sql.ts';
import { unlinked } from '../formats/unlinked.ts';
import { type Decided, type Decider, proposeDecision } from '../keys/admin-decisions.ts';
import { type Mail, queueMail } from '../mail/mail-queue.ts';
import { addBanner } from '../notifications/banner-writes.ts';
import type { KeyRing } from '../vault/vault.ts';

export interface NewOwner {
  readonly accountId: string;
  readonly email: string;
  readonly fullName: string;
}

/** Whether the invitation waits; `id` is null if no consent is needed. */
export async function proposeOwner(
  db: Db,
  owner: NewOwner,
  by: Decider,
): Promise<Decided | { readonly id: null; readonly waits: false }> {
  const { accountId, email, fullName } = owner;
  const now = await db.one<{ had: boolean; has: boolean; admin: boolean }>(sql`select
      exists (select from members where account_id = ${accountId} and role = 'owner' and person_id is not null) as had,
      exists (select from members m join people p on p.id = m.person_id and p.disabled_at is null
        where m.account_id = ${accountId} and m.role = 'owner' and m.active) as has,
      exists (select from people where is_admin and lower(email) = lower(${email})) as admin`);
  if (!now.had && !now.admin) return { id: null, waits: false };
  const details = { email, full_name: fullName };
  const decision = { kind: 'owner_invitation', accountId, subject: accountId, amount: null, details, waits: now.has } as const;
  return proposeDecision(db, decision, by);
}

/** A line of `GET owner-requests`. */
export interface OwnerRequest {
  readonly id: string;
  readonly email: string;
  readonly full_name: string;
  readonly proposed_by: string;
  readonly proposed_at: string;
}

export const listOwnerRequests = (db: Db, accountId: string): Promise<OwnerRequest[]> =>
  db.rows<OwnerRequest>(sql`select d.id, d.details->>'email' as email, d.details->>'full_name' as full_name, p.full_name as proposed_by,
      utc_text(d.first_at) as proposed_at
    from admin_decisions d join people p on p.id = d.first_by
    where d.dealer_id = ${accountId} and d.kind = 'owner_invitation' and d.status = 'pending' order by d.first_at`);

/** Refuses a request that is not about this dealer. */
export async function requireOwnRequest(db: Db, accountId: string, id: string): Promise<void> {
  const [found] = await db.rows(sql`select 1 from admin_decisions
    where id = ${id} and dealer_id = ${accountId} and kind = 'owner_invitation'`);
  if (found === undefined) fail('not_found');
}

export type OwnerNews = 'owner.proposed' | 'owner.invited';

export interface Announcement {
  readonly news: OwnerNews;
  readonly owner: NewOwner;
  /** The administrator's name. */
  readonly by: string;
  /** Of the panel's page of users. */
  readonly link: string;
}

const MAILS: Readonly<Record<OwnerNews, Record<Locale, (facts: Announcement, account: string) => Omit<Mail, 'to'>>>> = {
  'owner.proposed': {
    tr: ({ owner, by, link }, account) => ({
      subject: `${account}: yeni sahip için onayınız bekleniyor`,
      text: `Merhaba,\n\nPlatform yöneticisi ${by}, ${owner.fullName} (${owner.email}) kişisini ${account} hesabına sahip olarak eklemek istiyor. Onaylamak ya da reddetmek için:\n\n${link}\n\nBunu beklemiyorsanız reddedin ve platforma bildirin.\n`,
    }),
    en: ({ owner, by, link }, account) => ({
      subject: `${account}: a new owner waits for your approval`,
      text: `Hello,\n\nThe platform administrator ${by} wants to add ${owner.fullName} (${owner.email}) as an owner of ${account}. Approve or refuse it here:\n\n${link}\n\nIf you do not expect this, refuse it and inform the platform.\n`,
    }),
  },
  'owner.invited': {
    tr: ({ owner, by, link }, account) => ({
      subject: `${account}: yeni bir sahip davet edildi`,
      text: `Merhaba,\n\nPlatform yöneticisi ${by} tarafından önerilen ${owner.fullName} (${owner.email}), ${account} hesabına sahip olarak davet edildi. Daveti burada geri çekebilirsiniz:\n\n${link}\n`,
    }),
    en: ({ owner, by, link }, account) => ({
      subject: `${account}: a new owner was invited`,
      text: `Hello,\n\n${owner.fullName} (${owner.email}), proposed by the platform administrator ${by}, was invited as an owner of ${account}. You can withdraw the invitation here:\n\n${link}\n`,
    }),
  },
};

/** To every owner: a banner of their own and, where the service sends mail, a mail. */
export async function announceOwner(
  db: Db,
  facts: Announcement,
  { vault, canMail, realNow }: { readonly vault: KeyRing; readonly canMail: boolean; readonly realNow: Date },
): Promise<void> {
  const { news, owner, by } = facts;
  const shownFacts = { ...facts, by: unlinked(by), owner: { ...owner, fullName: unlinked(owner.fullName) } };
  const owners = await db.rows<{ id: string; email: string; locale: Locale; account: string; is_demo: boolean }>(sql`
    select p.id, p.email, coalesce(p.locale, a.locale) as locale, a.name as account, p.is_demo
    from members m join people p on p.id = m.person_id and p.disabled_at is null join accounts a on a.id = m.account_id
    where m.account_id = ${owner.accountId} and m.active and m.role = 'owner' order by p.email`);
  for (const { id, email, locale, account, is_demo } of owners) {
    const data = { full_name: owner.fullName, email: owner.email, by };
    await addBanner(db, owner.accountId, { kind: news, data }, realNow, id);
    if (canMail && !is_demo)
      await queueMail(db, vault, { to: email, ...MAILS[news][locale](shownFacts, unlinked(account)) }, realNow);
  }
}
