// Votes for endpoints that are not open yet: cast and withdraw.
import { flagField, nullable, required, textField } from '../../domain/records/fields.ts';
import { castVote, withdrawVote } from '../../domain/releases/votes.ts';
import { fail } from '../../kit/errors.ts';
import { panelDelete, panelPost } from '../kit/endpoint.ts';
import { endpointBySlug } from './catalog.ts';

/** Everyone who may change anything in the account. */
const VOTERS = ['owner', 'developer', 'finance', 'sales'] as const;

export const voteEndpoints = [
  panelPost('catalog/{slug}/vote', {
    who: VOTERS,
    databaseRole: 'tenant',
    ofOwner: true,
    bodySchema: { use_case: nullable(textField(280, { lines: true })), blocks_go_live: required(flagField) },
    run: async ({ db, account, session, params, body, services, actor, realNow }) => {
      const endpoint = endpointBySlug(services, params.slug);
      // An open endpoint needs no vote.
      if ((await services.release()).isLive(endpoint.id)) fail('conflict');
      const vote = { use_case: body.use_case ?? null, blocks_go_live: body.blocks_go_live };
      return castVote(db, account.id, endpoint.id, vote, { actor, personId: session.person.id, realNow });
    },
  }),
  panelDelete('catalog/{slug}/vote', {
    who: VOTERS,
    databaseRole: 'tenant',
    ofOwner: true,
    run: async ({ db, account, params, services, actor }) => {
      const endpoint = endpointBySlug(services, params.slug);
      if (!(await withdrawVote(db, account.id, endpoint.id, actor))) fail('not_found');
      return { withdrawn: true };
    },
  }),
];
