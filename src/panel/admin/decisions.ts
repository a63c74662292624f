// Acts that wait for a second administrator: the list, the confirmation, which carries the act out, and the withdrawal.
import {
  type ConfirmedDecision,
  confirmDecision,
  type DecisionLine,
  listDecisions,
  withdrawDecision,
} from '../../domain/keys/admin-decisions.ts';
import { setAuthorizations } from '../../domain/keys/key-authorizations.ts';
import type { Authorization } from '../../domain/keys/key-policy.ts';
import { correctWallet } from '../../domain/wallet/correction.ts';
import { type PaidFrom, settleInvoice } from '../../domain/wallet/invoice-payment.ts';
import { oneOfParam, paging, withFallback } from '../../kit/params.ts';
import { listed, panelGet, panelPost } from '../kit/endpoint.ts';
import { type Administering, writeForDealer } from './dealer-write.ts';
import { carryOutOwner, type Inviting, type OwnerInvitation } from './owners.ts';

export const adminDecisionEndpoints = [
  panelGet('admin/decisions', {
    who: 'admin',
    databaseRole: 'platform',
    query: { ...paging, status: withFallback(oneOfParam(['open', 'ended']), 'open') },
    run: async ({ db, query, session, realNow }) =>
      listed<DecisionLine>(await listDecisions(db, query.status === 'open', session.person.id, query, realNow), query),
  }),
  panelPost('admin/decisions/{decision_id}/confirm', {
    who: 'admin',
    databaseRole: 'none',
    recent: true,
    run: async (context): Promise<{ readonly status: 'done'; readonly invitation: OwnerInvitation | null }> => {
      const { params, services, session, actor, realNow } = context;
      const by = { personId: session.person.id, actor, realNow };
      const decision = await services.database.onPlatform('write', (db) => confirmDecision(db, params.decision_id, by));
      const invitation = await carryOut(context, decision);
      return { status: 'done', invitation };
    },
  }),
  panelPost('admin/decisions/{decision_id}/withdraw', {
    who: 'admin',
    databaseRole: 'platform',
    run: async ({ db, params, actor, realNow }): Promise<{ readonly status: 'withdrawn' }> => {
      await withdrawDecision(db, params.decision_id, actor, realNow);
      return { status: 'withdrawn' };
    },
  }),
];

async function carryOut(
  context: Administering & Omit<Inviting, 'db'>,
  decision: ConfirmedDecision,
): Promise<OwnerInvitation | null> {
  const { id: decisionId, kind, accountId, subject, amount, details } = decision;
  const { services, actor, realNow } = context;
  if (kind === 'wallet_correction') {
    const correction = { amount: amount!, description: details.description as string, decisionId };
    await writeForDealer(context, accountId, (work) => correctWallet(work, correction));
  } else if (kind === 'invoice_settlement') {
    const from = details.from as PaidFrom;
    await writeForDealer(context, accountId, (work) => settleInvoice(work, subject!, { from, decisionId }));
  } else if (kind === 'key_authorization') {
    const authorizations = details.authorizations as Authorization[];
    await services.database.onPlatform('write', (db) =>
      setAuthorizations(db, subject!, { authorizations, decisionId }, { actor, realNow }),
    );
  } else return services.database.onPlatform('write', (db) => carryOutOwner({ ...context, db }, decision));
  return null;
}
