// Members who sign in to the account, and their roles: for the owner only. Every change of rights needs the password again.
import { invite, isInvitationMailed, revokeInvitation } from '../../domain/identity/invitations.ts';
import {
  changeMember,
  endSessionsIn,
  listInvitations,
  listMembers,
  type Member,
  memberReset,
  type PendingInvitation,
  removeMemberTotp,
  requireInvitable,
} from '../../domain/identity/members.ts';
import { ROLES, type Role, rolesFor } from '../../domain/identity/roles.ts';
import { renewSession } from '../../domain/identity/sessions.ts';
import { takeMailBudget } from '../../domain/mail/mail-budget.ts';
import { LINK_MAILS, type Mail, queueMail } from '../../domain/mail/mail-queue.ts';
import { type Fields, flagField, oneOfField, required, textField, uuidField } from '../../domain/records/fields.ts';
import { emailField } from '../../domain/records/person-fields.ts';
import type { Db } from '../../kit/db.ts';
import type { Risk } from '../../kit/endpoint.ts';
import { fail } from '../../kit/errors.ts';
import { paging } from '../../kit/params.ts';
import { resources } from '../../resources/index.ts';
import { listed, panelDelete, panelGet, panelPatch, panelPost } from '../kit/endpoint.ts';
import type { PanelServices } from '../kit/services.ts';

/** A line of `GET members`. */
export type MemberLine = Member;
/** A line of `GET invitations`. */
export type InvitationLine = PendingInvitation;

/** A single-use link, which is returned here and never shown again. */
export interface HandedLink {
  readonly link: string;
  /** Also mailed to the person. */
  readonly mailed: boolean;
  readonly expires_at: string;
  readonly email: string;
}

/** A line of `GET roles`: a category of the catalog, and who may use its endpoints in the panel. */
export interface RoleCategory {
  readonly name: Readonly<{ en: string; tr: string }>;
  readonly rows: readonly {
    readonly id: string;
    readonly method: string;
    readonly path: string;
    readonly name: Readonly<{ en: string; tr: string }>;
    readonly risk: Risk;
    readonly roles: readonly Role[];
  }[];
}

const INVITATION_FIELDS = {
  email: required(emailField),
  full_name: required(textField(120)),
  role: required(oneOfField(ROLES)),
  /** A member of the staff who gets a sign-in with this invitation. */
  member_id: uuidField,
} as const satisfies Fields;

const ROLE_TABLE: readonly RoleCategory[] = resources.map(({ category, endpoints }) => ({
  name: category,
  rows: endpoints.map((endpoint) => ({
    id: endpoint.id,
    method: endpoint.method,
    path: endpoint.path,
    name: endpoint.name,
    risk: endpoint.risk,
    roles: rolesFor(endpoint),
  })),
}));

export const memberEndpoints = [
  panelGet('members', {
    who: ['owner'],
    databaseRole: 'platform',
    query: paging,
    run: async ({ db, account, query }) => listed(await listMembers(db, account.id, query), query),
  }),
  panelPatch('members/{member_id}', {
    who: ['owner'],
    databaseRole: 'platform',
    recent: true,
    bodySchema: { role: oneOfField(ROLES), active: flagField },
    run: async ({ db, account, session, params, body, actor, realNow, giveToken }) => {
      const { personId, changed } = await changeMember(db, account.id, params.member_id, body, actor, realNow);
      if (changed) {
        await endSessionsIn(db, account.id, personId, session.id);
        if (personId === session.person.id) giveToken(await renewSession(db, session.id));
      }
      return { changed };
    },
  }),
  panelPost('members/{member_id}/password-reset', {
    who: ['owner'],
    databaseRole: 'platform',
    recent: true,
    run: async ({ db, account, session, params, actor, realNow, services, locale }): Promise<HandedLink> => {
      const { token, expires_at, email } = await memberReset(db, account.id, params.member_id, session.person.id, actor, realNow);
      const link = `${services.publicUrl()}/panel/parola-sifirla/${token}`;
      const mailed = await mailLink(db, services, account.id, { to: email, ...LINK_MAILS.reset[locale](link) }, realNow);
      return { link, mailed, expires_at: expires_at.toISOString(), email };
    },
  }),
  panelDelete('members/{member_id}/totp', {
    who: ['owner'],
    databaseRole: 'platform',
    recent: true,
    run: async ({ db, account, session, params, actor }) => {
      if (params.member_id === session.account?.member_id) fail('conflict');
      await removeMemberTotp(db, account.id, params.member_id, actor);
      return { removed: true };
    },
  }),
  panelGet('invitations', {
    who: ['owner'],
    databaseRole: 'platform',
    query: paging,
    run: async ({ db, account, query, realNow }) => listed(await listInvitations(db, account.id, realNow, query), query),
  }),
  panelPost('invitations', {
    who: ['owner'],
    databaseRole: 'platform',
    recent: true,
    bodySchema: INVITATION_FIELDS,
    run: async ({ db, account, session, body, actor, realNow, services, locale }): Promise<HandedLink> => {
      const { email, full_name: fullName, role, member_id: memberId = null } = body;
      await requireInvitable(db, account.id, email, memberId);
      const invitation = { accountId: account.id, email, fullName, role, invitedBy: session.person.id, memberId };
      const { token, expires_at } = await invite(db, invitation, actor, realNow);
      const link = `${services.publicUrl()}/panel/davet/${token}`;
      const mail = { to: email, ...LINK_MAILS.invitation[locale](link, account.name) };
      const mailed = await mailLink(db, services, account.id, mail, realNow, () =>
        isInvitationMailed(db, account.id, email, realNow),
      );
      return { link, mailed, expires_at: expires_at.toISOString(), email };
    },
  }),
  panelDelete('invitations/{invitation_id}', {
    who: ['owner'],
    databaseRole: 'platform',
    run: async ({ db, account, params, actor, realNow }) => {
      if (!(await revokeInvitation(db, account.id, params.invitation_id, actor, realNow))) fail('not_found');
      return { revoked: true };
    },
  }),
  panelGet('roles', {
    who: 'member',
    databaseRole: 'none',
    run: async (): Promise<readonly RoleCategory[]> => ROLE_TABLE,
  }),
];

/** Mails the link where the service sends mail, limited so that one account does not delay the mail of others. */
async function mailLink(
  db: Db,
  services: PanelServices,
  accountId: string,
  mail: Mail,
  realNow: Date,
  isAllowed: () => Promise<boolean> = async () => true,
): Promise<boolean> {
  // The budget locks the account's row first, so that `isAllowed` sees every mail that was queued before.
  const isMailed = services.canMail && (await takeMailBudget(db, accountId, 1, realNow)) && (await isAllowed());
  if (isMailed) await queueMail(db, services.vault, mail, realNow);
  return isMailed;
}
