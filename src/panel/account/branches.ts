// Branches and staff: every member can read them, the owner edits them.
import {
  BRANCH_FIELDS,
  type Branch,
  changeBranch,
  createBranch,
  listBranches,
  makeMainBranch,
  NEW_BRANCH_FIELDS,
  removeBranch,
} from '../../domain/accounts/branches.ts';
import {
  changeStaff,
  createStaff,
  listStaff,
  NEW_STAFF_FIELDS,
  STAFF_FIELDS,
  type StaffMember,
} from '../../domain/accounts/staff.ts';
import { ROLES } from '../../domain/identity/roles.ts';
import { flagParam, oneOfParam, paging, textParam, uuidParam } from '../../kit/params.ts';
import { listed, panelDelete, panelGet, panelPatch, panelPost } from '../kit/endpoint.ts';

/** Lines of `GET branches` and `GET staff`. */
export type BranchLine = Branch;
export type StaffLine = StaffMember;

export const branchEndpoints = [
  panelGet('branches', {
    who: 'member',
    databaseRole: 'tenant',
    ofColleagues: true,
    query: paging,
    run: async ({ db, query }) => listed(await listBranches(db, query), query),
  }),
  panelPost('branches', {
    who: ['owner'],
    databaseRole: 'tenant',
    bodySchema: NEW_BRANCH_FIELDS,
    run: ({ db, account, body, actor, now }): Promise<BranchLine> => createBranch(db, account.id, body, actor, now),
  }),
  panelPatch('branches/{branch_id}', {
    who: ['owner'],
    databaseRole: 'tenant',
    bodySchema: BRANCH_FIELDS,
    run: ({ db, account, params, body, actor, now }): Promise<BranchLine> =>
      changeBranch(db, account.id, params.branch_id, body, actor, now),
  }),
  panelPost('branches/{branch_id}/main', {
    who: ['owner'],
    databaseRole: 'tenant',
    run: ({ db, account, params, actor, now }): Promise<BranchLine> =>
      makeMainBranch(db, account.id, params.branch_id, actor, now),
  }),
  panelDelete('branches/{branch_id}', {
    who: ['owner'],
    databaseRole: 'tenant',
    run: async ({ db, account, params, actor }) => {
      await removeBranch(db, account.id, params.branch_id, actor);
      return { removed: true };
    },
  }),
  panelGet('staff', {
    who: 'member',
    databaseRole: 'tenant',
    ofColleagues: true,
    query: { ...paging, q: textParam(80), branch_id: uuidParam, role: oneOfParam(ROLES), active: flagParam },
    run: async ({ db, query }) => listed(await listStaff(db, query, query), query),
  }),
  panelPost('staff', {
    who: ['owner'],
    databaseRole: 'tenant',
    bodySchema: NEW_STAFF_FIELDS,
    run: ({ db, account, body, actor, realNow }): Promise<StaffLine> =>
      createStaff(db, body, { accountId: account.id, actor, realNow }),
  }),
  panelPatch('staff/{member_id}', {
    who: ['owner'],
    databaseRole: 'tenant',
    bodySchema: STAFF_FIELDS,
    run: ({ db, account, params, body, actor, realNow }): Promise<StaffLine> =>
      changeStaff(db, params.member_id, body, { accountId: account.id, actor, realNow }),
  }),
];
