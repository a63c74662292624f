// Invites an owner for an administrator: at once where it is a dealer's first, otherwise after an owner or a second administrator has agreed.
import { invite } from '../../domain/identity/invitations.ts';
import { announceOwner, type NewOwner, proposeOwner } from '../../domain/identity/owner-requests.ts';
import type { ConfirmedDecision } from '../../domain/keys/admin-decisions.ts';
import { LINK_MAILS, queueMail } from '../../domain/mail/mail-queue.ts';
import type { Actor } from '../../domain/writes/audit.ts';
import type { Db } from '../../kit/db.ts';
import { fail, type Locale } from '../../kit/errors.ts';
import { sql } from '../../kit/sql.ts';
import type { PanelSession } from '../kit/endpoint.ts';
import type { PanelServices } from '../kit/services.ts';
import { deciderOf } from './decider.ts';

/** The link is shown once, to the person who made it; null while an owner or a second administrator has to agree. */
export interface OwnerInvitation {
  readonly account_id: string;
  readonly email: string;
  readonly link: string | null;
  readonly expires_at: string | null;
  /** Also sent to the owner's address. */
  readonly mailed: boolean;
}

export interface Inviting {
  readonly db: Db;
  readonly session: PanelSession;
  readonly services: PanelServices;
  readonly actor: Actor;
  readonly locale: Locale;
  readonly now: Date;
  readonly realNow: Date;
}

export async function inviteOwner(inviting: Inviting, owner: NewOwner): Promise<OwnerInvitation> {
  const { db, session } = inviting;
  const { id: decisionId, waits } = await proposeOwner(db, owner, deciderOf(inviting));
  if (!waits) return hand(inviting, owner, { invitedBy: session.person.id, decisionId });
  await announce(inviting, owner, 'owner.proposed', session.person.full_name);
  return { account_id: owner.accountId, email: owner.email, link: null, expires_at: null, mailed: false };
}

/** After an owner or a second administrator has agreed. */
export async function carryOutOwner(inviting: Inviting, decision: ConfirmedDecision): Promise<OwnerInvitation> {
  const { db } = inviting;
  const { id: decisionId, accountId, details, firstBy } = decision;
  const owner = { accountId, email: details.email as string, fullName: details.full_name as string };
  const { status } = await db.one<{ status: string }>(sql`select status from accounts where id = ${accountId}`);
  if (status === 'Askıda') fail('account_suspended');
  const by = await db.one<{ full_name: string }>(sql`select full_name from people where id = ${firstBy}`);
  const invitation = await hand(inviting, owner, { invitedBy: firstBy!, decisionId });
  await announce(inviting, owner, 'owner.invited', by.full_name);
  return invitation;
}

/** Returns the link, and mails it to the owner where the service sends mail. */
async function hand(
  { db, services, actor, locale, realNow }: Inviting,
  { accountId, email, fullName }: NewOwner,
  { invitedBy, decisionId }: { readonly invitedBy: string; readonly decisionId: string | null },
): Promise<OwnerInvitation> {
  const invitation = { accountId, email, fullName, role: 'owner' as const, invitedBy, decisionId };
  const { token, expires_at } = await invite(db, invitation, actor, realNow);
  const { name } = await db.one<{ name: string }>(sql`select name from accounts where id = ${accountId}`);
  const link = `${services.publicUrl()}/panel/davet/${token}`;
  if (services.canMail) await queueMail(db, services.vault, { to: email, ...LINK_MAILS.invitation[locale](link, name) }, realNow);
  return { account_id: accountId, email, link, expires_at: expires_at.toISOString(), mailed: services.canMail };
}

const announce = (
  { db, services, realNow }: Inviting,
  owner: NewOwner,
  news: 'owner.proposed' | 'owner.invited',
  by: string,
): Promise<void> => {
  const link = `${services.publicUrl()}/panel/ayarlar/kullanicilar`;
  return announceOwner(db, { news, owner, by, link }, { vault: services.vault, canMail: services.canMail, realNow });
};
