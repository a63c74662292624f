// Votes for rows that are not open yet: cast and withdraw.
import { flagField, nullable, required, textField } from '../../domain/records/fields.ts';
import { castVote, withdrawVote } from '../../domain/releases/votes.ts';
import { fail } from '../../kit/errors.ts';
import { panelDelete, panelPost } from '../kit/endpoint.ts';
import { rowBySlug } from './catalog.ts';

/** Everyone who may change anything in the account. */
const VOTERS = ['owner', 'developer', 'finance', 'sales'] as const;

export const voteRows = [
  panelPost('catalog/{slug}/vote', {
    who: VOTERS,
    door: 'tenant',
    ofOwner: true,
    takes: { use_case: nullable(textField(280, { lines: true })), blocks_go_live: required(flagField) },
    run: async ({ db, account, session, params, body, services, actor, realNow }) => {
      const row = rowBySlug(services, params.slug);
      // An open row needs no vote.
      if ((await services.release()).isLive(row.id)) fail('conflict');
      const vote = { use_case: body.use_case ?? null, blocks_go_live: body.blocks_go_live };
      return castVote(db, account.id, row.id, vote, { actor, personId: session.person.id, realNow });
    },
  }),
  panelDelete('catalog/{slug}/vote', {
    who: VOTERS,
    door: 'tenant',
    ofOwner: true,
    run: async ({ db, account, params, services, actor }) => {
      const row = rowBySlug(services, params.slug);
      if (!(await withdrawVote(db, account.id, row.id, actor))) fail('not_found');
      return { withdrawn: true };
    },
  }),
];
