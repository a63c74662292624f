// New owners whom an administrator proposes: an owner of the dealer agrees or refuses.
import { listOwnerRequests, type OwnerRequest, requireOwnRequest } from '../../domain/identity/owner-requests.ts';
import { confirmDecision, withdrawDecision } from '../../domain/keys/admin-decisions.ts';
import { carryOutOwner, type OwnerInvitation } from '../admin/owners.ts';
import { panelGet, panelPost } from '../kit/endpoint.ts';

export const ownerRequestEndpoints = [
  panelGet('owner-requests', {
    who: ['owner'],
    databaseRole: 'platform',
    run: ({ db, account }): Promise<OwnerRequest[]> => listOwnerRequests(db, account.id),
  }),
  panelPost('owner-requests/{request_id}/approve', {
    who: ['owner'],
    databaseRole: 'platform',
    recent: true,
    run: async (context): Promise<OwnerInvitation> => {
      const { db, account, params, session, actor, realNow } = context;
      await requireOwnRequest(db, account.id, params.request_id);
      const decision = await confirmDecision(db, params.request_id, { personId: session.person.id, actor, realNow });
      return carryOutOwner(context, decision);
    },
  }),
  panelPost('owner-requests/{request_id}/refuse', {
    who: ['owner'],
    databaseRole: 'platform',
    run: async ({ db, account, params, actor, realNow }): Promise<{ readonly status: 'withdrawn' }> => {
      await requireOwnRequest(db, account.id, params.request_id);
      await withdrawDecision(db, params.request_id, actor, realNow);
      return { status: 'withdrawn' };
    },
  }),
];
