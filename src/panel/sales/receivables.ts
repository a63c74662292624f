// What only the panel shows of receivables: today's board, ageing, a customer's statement, the calendar, the cash flow, the till.

import { requireCustomer } from '../../domain/customers/customer-view.ts';
import { rolesFor } from '../../domain/identity/roles.ts';
import { AGING_SORTS, readAging } from '../../domain/receivables/aging.ts';
import { type Board, readBoard } from '../../domain/receivables/board.ts';
import { listCalendarInstallments, readCalendar } from '../../domain/receivables/calendar.ts';
import { readCashFlow } from '../../domain/receivables/cash-flow.ts';
import { listOpenDeposits } from '../../domain/receivables/open-deposits.ts';
import { readStatement } from '../../domain/receivables/statement.ts';
import { statementCsv } from '../../domain/receivables/statement-csv.ts';
import {
  CLOSE_FIELDS,
  closeTill,
  listClosings,
  previewTill,
  REOPEN_FIELDS,
  reopenTill,
} from '../../domain/receivables/till-closing.ts';
import { type ReminderRow, readReminders } from '../../domain/reminders/reminder.ts';
import { dayIn } from '../../kit/clock.ts';
import { fail } from '../../kit/errors.ts';
import { CURRENCIES } from '../../kit/money.ts';
import { oneOfParam, type Param, paging, readDay, requiredParam, uuidParam, withFallback } from '../../kit/params.ts';
import { listed, PanelFile, panelGet, panelPost } from '../kit/endpoint.ts';
import { writeInAccount } from '../kit/write.ts';

const READERS = rolesFor({ scope: 'collections:read', risk: 'read' });
const TILL = rolesFor({ scope: 'collections:write', risk: 'write' });

const dayParam: Param<string> = {
  allowed: { en: 'a date such as 2026-11-15', tr: '2026-11-15 gibi bir tarih' },
  schema: { type: 'string', format: 'date' },
  read: (text) => readDay(text) ?? undefined,
};
const monthParam: Param<string> = {
  allowed: { en: 'a month such as 2026-11', tr: '2026-11 gibi bir ay' },
  schema: { type: 'string', pattern: '^\\d{4}-\\d\\d$' },
  read: (text) => (readDay(`${text}-01`) === null ? undefined : text),
};

export const STATEMENT = {
  currency: requiredParam(oneOfParam(CURRENCIES)),
  from: requiredParam(dayParam),
  to: requiredParam(dayParam),
};

export function requireOrder({ from, to }: { readonly from: string; readonly to: string }): void {
  const allowed = { en: 'not later than to', tr: 'to değerinden sonra olmayan bir tarih' };
  if (from > to) fail('invalid_parameter', { param: 'from', words: { allowed } });
}

/** The board with what its cards need to remind someone. */
export interface BoardView extends Board {
  readonly reminders: readonly ReminderRow[];
}

export const receivableEndpoints = [
  panelGet('receivables/board', {
    who: READERS,
    databaseRole: 'tenant',
    run: async ({ db, account: { timezone }, now }): Promise<BoardView> => {
      const board = await readBoard(db, dayIn(now, timezone));
      const { overdue, due_today, promised_today } = board;
      const ids = [overdue, due_today, promised_today].flatMap(({ cards }) => cards.flatMap(({ remind_id }) => remind_id ?? []));
      return { ...board, reminders: await readReminders(db, [...new Set(ids)], { now, timezone }) };
    },
  }),
  panelGet('receivables/aging', {
    who: READERS,
    databaseRole: 'tenant',
    query: { ...paging, sort: withFallback(oneOfParam(AGING_SORTS), 'total') },
    run: ({ db, query, account, now }) => readAging(db, { ...query, today: dayIn(now, account.timezone) }),
  }),
  panelGet('receivables/calendar', {
    who: READERS,
    databaseRole: 'tenant',
    query: { month: requiredParam(monthParam) },
    run: ({ db, query }) => readCalendar(db, query.month),
  }),
  panelGet('receivables/calendar/rows', {
    who: READERS,
    databaseRole: 'tenant',
    query: { ...paging, day: requiredParam(dayParam) },
    run: async ({ db, query, account, now }) =>
      listed(await listCalendarInstallments(db, query.day, dayIn(now, account.timezone), query), query),
  }),
  panelGet('receivables/cash-flow', {
    who: READERS,
    databaseRole: 'tenant',
    run: ({ db, account, now }) => readCashFlow(db, dayIn(now, account.timezone)),
  }),
  panelGet('receivables/open-deposits', {
    who: READERS,
    databaseRole: 'tenant',
    query: { vehicle_id: uuidParam, customer_id: uuidParam },
    run: ({ db, query }) => listOpenDeposits(db, query),
  }),
  panelGet('customers/{customer_id}/statement', {
    who: READERS,
    databaseRole: 'tenant',
    query: { ...paging, ...STATEMENT },
    run: async ({ db, params, query, account, now }) => {
      requireOrder(query);
      await requireCustomer(db, params.customer_id);
      return readStatement(db, { ...query, customer_id: params.customer_id, today: dayIn(now, account.timezone) });
    },
  }),
  panelGet('customers/{customer_id}/statement.csv', {
    who: READERS,
    databaseRole: 'tenant',
    query: STATEMENT,
    run: async ({ db, params, query, account, now, session }): Promise<PanelFile> => {
      requireOrder(query);
      await requireCustomer(db, params.customer_id);
      const filter = { ...query, customer_id: params.customer_id, today: dayIn(now, account.timezone) };
      const csv = await statementCsv(db, filter, session.person.locale);
      return new PanelFile(`ekstre-${query.currency}-${query.to}.csv`, 'text/csv; charset=utf-8', csv);
    },
  }),
  panelGet('till', {
    who: READERS,
    databaseRole: 'tenant',
    query: { branch_id: requiredParam(uuidParam), day: requiredParam(dayParam) },
    run: ({ db, query }) => previewTill(db, query.branch_id, query.day),
  }),
  panelGet('till/closings', {
    who: READERS,
    databaseRole: 'tenant',
    query: { ...paging, branch_id: uuidParam },
    run: async ({ db, query }) => listed(await listClosings(db, query), query),
  }),
  panelPost('till/closings', {
    who: TILL,
    databaseRole: 'none',
    bodySchema: CLOSE_FIELDS,
    run: (context) => writeInAccount(context, (work) => closeTill(work, context.body)),
  }),
  panelPost('till/closings/{closing_id}/reopen', {
    who: ['owner'],
    databaseRole: 'none',
    bodySchema: REOPEN_FIELDS,
    run: (context) => writeInAccount(context, (work) => reopenTill(work, context.params.closing_id, context.body)),
  }),
];
