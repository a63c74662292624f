// Reminders in the panel: today's list, what went out, and noting that a message was opened.
import { rolesFor } from '../../domain/identity/roles.ts';
import { required, uuidField } from '../../domain/records/fields.ts';
import { type ReminderRow, readDueReminders, readInstallmentToRemind } from '../../domain/reminders/reminder.ts';
import { listReminders, logWhatsApp, type ReminderLine } from '../../domain/reminders/reminder-log.ts';
import { paging, uuidParam } from '../../kit/params.ts';
import { listed, panelGet, panelPost } from '../kit/endpoint.ts';
import { writeInAccount } from '../kit/write.ts';

const READERS = rolesFor({ scope: 'installments:read', risk: 'read' });

/** The row that someone is reminded of, and what went out about the whole sale, newest first. */
export interface SaleReminders {
  readonly row: ReminderRow | null;
  readonly sent: readonly ReminderLine[];
}

const MAX_LINES = 50;

export const reminderEndpoints = [
  panelGet('receivables/reminders', {
    who: READERS,
    databaseRole: 'tenant',
    run: ({ db, account, now }): Promise<ReminderRow[]> => readDueReminders(db, { now, timezone: account.timezone }),
  }),
  panelGet('receivables/reminders/sent', {
    who: READERS,
    databaseRole: 'tenant',
    query: paging,
    run: async ({ db, query }) => listed(await listReminders(db, query), query),
  }),
  panelGet('sales/{sale_id}/reminders', {
    who: READERS,
    databaseRole: 'tenant',
    query: { installment_id: uuidParam },
    run: async ({ db, params: { sale_id }, query, account, now }): Promise<SaleReminders> => {
      const row = await readInstallmentToRemind(db, sale_id, query.installment_id ?? null, { now, timezone: account.timezone });
      return { row, sent: (await listReminders(db, { sale_id, limit: MAX_LINES, offset: 0 })).slice(0, MAX_LINES) };
    },
  }),
  panelPost('installments/{installment_id}/reminders', {
    who: rolesFor({ scope: 'customers:write', risk: 'write' }),
    databaseRole: 'none',
    bodySchema: { recipient_id: required(uuidField) },
    run: (context) =>
      writeInAccount(context, (work) =>
        logWhatsApp(work, context.params.installment_id, { ...context.body, staff_id: context.account.member_id }),
      ),
  }),
];
