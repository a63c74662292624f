// What only the panel shows of receivables: today's board, ageing, a customer's statement, the calendar, the cash flow, the till.

import { requireCustomer } from '../../domain/customers/customer-view.ts';
import { signLink } from '../../domain/files/file-links.ts';
import { type Role, rolesFor } from '../../domain/identity/roles.ts';
import { isMasked } from '../../domain/privacy/mask.ts';
import { AGING_SORTS, readAging } from '../../domain/receivables/aging.ts';
import {
  BOARD_FILTERS,
  type BoardCard,
  type BoardLane,
  type BoardQuery,
  readBoard,
  readLane,
} from '../../domain/receivables/board.ts';
import { listCalendarInstallments, readCalendar } from '../../domain/receivables/calendar.ts';
import { type CashFlow, readCashFlow, withoutExpenses } from '../../domain/receivables/cash-flow.ts';
import { listOpenDeposits } from '../../domain/receivables/open-deposits.ts';
import { BOARD_LANES, type BoardLaneName } from '../../domain/receivables/receivables-states.ts';
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
import type { Fields } from '../../domain/records/fields.ts';
import { type ReminderRow, readReminderSettings, readReminders } from '../../domain/reminders/reminder.ts';
import { isReminderHour } from '../../domain/reminders/reminder-limits.ts';
import { dayIn } from '../../kit/clock.ts';
import { fail } from '../../kit/errors.ts';
import { CURRENCIES } from '../../kit/money.ts';
import { oneOfParam, type Param, paging, readDay, requiredParam, uuidParam, withFallback } from '../../kit/params.ts';
import { listed, type PanelAccount, type PanelContext, PanelFile, panelGet, panelPost } from '../kit/endpoint.ts';
import { writeInAccount } from '../kit/write.ts';

const READERS = rolesFor({ scope: 'collections:read', risk: 'read' });
/** What all customers together owe and paid is turnover. */
const OFFICE = READERS.filter((role) => role !== 'sales');
/** The till shows what was paid out, which viewers do not see. */
const TILL = rolesFor({ scope: 'collections:write', risk: 'destructive' });

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
  const allowed = { en: 'on or before to', tr: 'to değerinden sonra olmayan bir tarih' };
  if (from > to) fail('invalid_parameter', { param: 'from', words: { allowed } });
}

/** A card as the panel shows it. */
export interface BoardCardView extends Omit<BoardCard, 'vehicle'> {
  readonly vehicle: Omit<BoardCard['vehicle'], 'thumbnail_id'> & {
    /** A link for fifteen minutes; null where there is no photo, or only one on another server. */
    readonly thumbnail_url: string | null;
  };
  /** What the customer is reminded of, with everyone who may be. */
  readonly reminder: ReminderRow | null;
}

export interface BoardLaneView extends Omit<BoardLane, 'cards'> {
  readonly cards: readonly BoardCardView[];
}

export interface BoardView extends Readonly<Record<BoardLaneName, BoardLaneView>> {
  readonly today: string;
  /** Whether a message may be sent at this hour. */
  readonly is_reminder_hour: boolean;
  /** Whether the account has an active rule by which customers are reminded. */
  readonly has_reminder_rule: boolean;
}

/** More are asked for by lane: the first are the most urgent. */
const FIRST_CARDS = { limit: 12, offset: 0 } as const;

type BoardContext = Pick<
  PanelContext<string, typeof BOARD_FILTERS, Fields, readonly Role[]>,
  'db' | 'account' | 'query' | 'session' | 'services' | 'now' | 'realNow'
>;

/** A salesperson collects for their own sales, and sees what those owe. */
const sellerOf = ({ role, member_id }: PanelAccount): string | null | undefined => (role === 'sales' ? member_id : undefined);

const boardQuery = ({ query: { q, branch_id, sort, mine }, account, session, now }: BoardContext): BoardQuery => ({
  q,
  branch_id,
  sort,
  salesperson_id: mine ? account.member_id : sellerOf(account),
  masked: isMasked(session, { who: 'member', ofColleagues: false }),
  today: dayIn(now, account.timezone),
});

async function showCards(
  { db, account, services, now, realNow }: BoardContext,
  cards: readonly BoardCard[],
): Promise<BoardCardView[]> {
  const ids = [...new Set(cards.flatMap(({ remind_id }) => remind_id ?? []))];
  const reminders = await readReminders(db, ids, { now, timezone: account.timezone });
  const byId = new Map(reminders.map((row) => [row.installment_id, row]));
  const link = (file: string) => signLink(services.secrets.files, services.publicUrl(), account.id, file, realNow).url;
  return cards.map(({ vehicle: { thumbnail_id, ...vehicle }, ...card }) => ({
    ...card,
    vehicle: { ...vehicle, thumbnail_url: thumbnail_id === null ? null : link(thumbnail_id) },
    reminder: (card.remind_id === null ? undefined : byId.get(card.remind_id)) ?? null,
  }));
}

async function showBoard(context: BoardContext): Promise<BoardView> {
  const { db, account, now } = context;
  const query = boardQuery(context);
  const [board, { rules }] = [await readBoard(db, query, FIRST_CARDS), await readReminderSettings(db)];
  const shown = async (name: BoardLaneName): Promise<BoardLaneView> => ({
    totals: board[name].totals,
    cards: await showCards(context, board[name].cards),
  });
  return {
    overdue: await shown('overdue'),
    due_today: await shown('due_today'),
    promised_today: await shown('promised_today'),
    collected_today: await shown('collected_today'),
    today: query.today,
    is_reminder_hour: isReminderHour(now, account.timezone),
    has_reminder_rule: rules.some(({ active }) => active),
  };
}

export const receivableEndpoints = [
  panelGet('receivables/board', {
    who: READERS,
    databaseRole: 'tenant',
    onStandby: true,
    query: BOARD_FILTERS,
    run: (context): Promise<BoardView> => showBoard(context),
  }),
  panelGet('receivables/board/{lane}', {
    who: READERS,
    databaseRole: 'tenant',
    onStandby: true,
    query: { ...paging, ...BOARD_FILTERS },
    run: async (context) => {
      const { db, params, query } = context;
      const lane = BOARD_LANES.find((name) => name === params.lane) ?? fail('not_found');
      const { cards } = await readLane(db, lane, boardQuery(context), { limit: query.limit + 1, offset: query.offset });
      return listed(await showCards(context, cards), query);
    },
  }),
  panelGet('receivables/aging', {
    who: OFFICE,
    databaseRole: 'tenant',
    onStandby: true,
    query: { ...paging, sort: withFallback(oneOfParam(AGING_SORTS), 'total') },
    run: ({ db, query, account, now }) => readAging(db, { ...query, today: dayIn(now, account.timezone) }),
  }),
  panelGet('receivables/calendar', {
    who: READERS,
    databaseRole: 'tenant',
    onStandby: true,
    query: { month: requiredParam(monthParam) },
    run: ({ db, query, account }) => readCalendar(db, query.month, sellerOf(account)),
  }),
  panelGet('receivables/calendar/rows', {
    who: READERS,
    databaseRole: 'tenant',
    onStandby: true,
    query: { ...paging, day: requiredParam(dayParam) },
    run: async ({ db, query, account, now }) =>
      listed(
        await listCalendarInstallments(
          db,
          { day: query.day, today: dayIn(now, account.timezone), seller: sellerOf(account) },
          query,
        ),
        query,
      ),
  }),
  panelGet('receivables/cash-flow', {
    who: OFFICE,
    databaseRole: 'tenant',
    onStandby: true,
    run: async ({ db, account, now }): Promise<readonly CashFlow[]> => {
      const flows = await readCashFlow(db, dayIn(now, account.timezone));
      return account.role === 'viewer' ? flows.flatMap(withoutExpenses) : flows;
    },
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
    onStandby: true,
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
    onStandby: true,
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
    who: TILL,
    databaseRole: 'tenant',
    query: { branch_id: requiredParam(uuidParam), day: requiredParam(dayParam) },
    run: ({ db, query }) => previewTill(db, query.branch_id, query.day),
  }),
  panelGet('till/closings', {
    who: TILL,
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
