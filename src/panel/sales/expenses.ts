// Money out, which only the panel has: expenses, those that recur, and transfers of cash. Viewers and developers see nothing of it; a
// salesperson enters expenses of own cars, up to the limit of the settings, and sees what they entered.
import { MAX_SCAN_BYTES, storeScan } from '../../domain/documents/scan.ts';
import {
  listTransfers,
  REVERSE_TRANSFER_FIELDS,
  reverseTransfer,
  TRANSFER_FIELDS,
  transferCash,
} from '../../domain/expenses/cash-transfer.ts';
import {
  type Expense,
  ExpenseFilters,
  type ExpenseScope,
  type ExpenseSum,
  enteredIn,
  listExpenses,
  readExpense,
  sumExpenses,
} from '../../domain/expenses/expense.ts';
import {
  attachExpenseFile,
  EXPENSE_FIELDS,
  enterExpense,
  expenseFile,
  REVERSE_EXPENSE_FIELDS,
  reverseExpense,
} from '../../domain/expenses/expense-writes.ts';
import {
  addRecurring,
  ENTER_FIELDS,
  endRecurring,
  enterProposal,
  listProposals,
  listRecurring,
  RECURRING_FIELDS,
  SKIP_FIELDS,
  skipProposal,
} from '../../domain/expenses/recurring.ts';
import { signLink } from '../../domain/files/file-links.ts';
import { audit } from '../../domain/writes/audit.ts';
import { dayIn } from '../../kit/clock.ts';
import type { FileLink } from '../../kit/endpoint.ts';
import { fail } from '../../kit/errors.ts';
import { paging, uuidParam } from '../../kit/params.ts';
import { listed, type PanelAccount, PanelList, panelDelete, panelGet, panelPost } from '../kit/endpoint.ts';
import { previewInAccount, writeInAccount } from '../kit/write.ts';

const OFFICE = ['owner', 'finance'] as const;
const ENTERERS = ['owner', 'finance', 'sales'] as const;

const scopeOf = ({ role, member_id, timezone }: PanelAccount): ExpenseScope => ({
  timezone,
  enteredBy: role === 'sales' ? member_id : undefined,
});

export const expenseEndpoints = [
  panelGet('expenses', {
    who: ENTERERS,
    databaseRole: 'tenant',
    query: { ...paging, ...ExpenseFilters },
    run: async ({ db, query, account }) => {
      const found = await listExpenses(db, query, scopeOf(account), { ...query, walk: undefined });
      return new PanelList<Expense>(JSON.parse(found.json), query, found.hasMore, null);
    },
  }),
  panelGet('expenses/sums', {
    who: OFFICE,
    databaseRole: 'tenant',
    query: ExpenseFilters,
    run: ({ db, query, account }): Promise<ExpenseSum[]> => sumExpenses(db, query, scopeOf(account)),
  }),
  panelGet('expenses/proposals', {
    who: OFFICE,
    databaseRole: 'tenant',
    run: ({ db, account, now }) => listProposals(db, dayIn(now, account.timezone)),
  }),
  panelGet('expenses/recurring', {
    who: OFFICE,
    databaseRole: 'tenant',
    run: ({ db }) => listRecurring(db),
  }),
  panelPost('expenses/recurring', {
    who: OFFICE,
    databaseRole: 'none',
    bodySchema: RECURRING_FIELDS,
    run: (context) => writeInAccount(context, (work) => addRecurring(work, context.body)),
  }),
  panelDelete('expenses/recurring/{recurring_id}', {
    who: OFFICE,
    databaseRole: 'none',
    run: (context) => writeInAccount(context, (work) => endRecurring(work, context.params.recurring_id)),
  }),
  panelPost('expenses/recurring/{recurring_id}/enter', {
    who: OFFICE,
    databaseRole: 'none',
    bodySchema: ENTER_FIELDS,
    run: (context) => writeInAccount(context, (work) => enterProposal(work, context.params.recurring_id, context.body)),
  }),
  panelPost('expenses/recurring/{recurring_id}/skip', {
    who: OFFICE,
    databaseRole: 'none',
    bodySchema: SKIP_FIELDS,
    run: (context) => writeInAccount(context, (work) => skipProposal(work, context.params.recurring_id, context.body.on)),
  }),
  panelGet('expenses/{expense_id}', {
    who: ENTERERS,
    databaseRole: 'tenant',
    run: ({ db, params, account }) => readExpense(db, params.expense_id, enteredIn(scopeOf(account).enteredBy)),
  }),
  panelPost('expenses', {
    who: ENTERERS,
    databaseRole: 'none',
    bodySchema: EXPENSE_FIELDS,
    run: (context) => writeInAccount(context, (work) => enterExpense(work, context.body)),
  }),
  panelPost('expenses/preview', {
    who: ENTERERS,
    databaseRole: 'none',
    bodySchema: EXPENSE_FIELDS,
    run: (context) => previewInAccount(context, (work) => enterExpense(work, context.body)),
  }),
  panelPost('expenses/{expense_id}/reverse', {
    who: OFFICE,
    databaseRole: 'none',
    bodySchema: REVERSE_EXPENSE_FIELDS,
    run: (context) => writeInAccount(context, (work) => reverseExpense(work, context.params.expense_id, context.body.reason)),
  }),
  panelPost('expenses/{expense_id}/file', {
    who: ENTERERS,
    databaseRole: 'none',
    upload: { maxBytes: MAX_SCAN_BYTES, stores: storeScan },
    run: (context) =>
      writeInAccount(context, async (work) => {
        const { params, account, files } = context;
        await readExpense(work.db, params.expense_id, enteredIn(scopeOf(account).enteredBy));
        return attachExpenseFile(work, params.expense_id, files);
      }),
  }),
  panelGet('expenses/{expense_id}/file', {
    who: ENTERERS,
    databaseRole: 'none',
    run: async ({ params, services, account, session, actor, realNow }): Promise<FileLink> => {
      if (session.look) fail('not_permitted');
      return services.database.inTenant(account.id, 'write', async (db) => {
        await readExpense(db, params.expense_id, enteredIn(scopeOf(account).enteredBy));
        const file = await expenseFile(db, params.expense_id);
        await audit(db, actor, 'expense.file_opened', params.expense_id, { accountId: account.id });
        return signLink(services.secrets.files, services.publicUrl(), account.id, file, realNow);
      });
    },
  }),
  panelGet('cash-transfers', {
    who: OFFICE,
    databaseRole: 'tenant',
    query: { ...paging, branch_id: uuidParam },
    run: async ({ db, query }) => listed(await listTransfers(db, query), query),
  }),
  panelPost('cash-transfers', {
    who: OFFICE,
    databaseRole: 'none',
    bodySchema: TRANSFER_FIELDS,
    run: (context) => writeInAccount(context, (work) => transferCash(work, context.body)),
  }),
  panelPost('cash-transfers/{transfer_id}/reverse', {
    who: OFFICE,
    databaseRole: 'none',
    bodySchema: REVERSE_TRANSFER_FIELDS,
    run: (context) => writeInAccount(context, (work) => reverseTransfer(work, context.params.transfer_id, context.body.reason)),
  }),
];
