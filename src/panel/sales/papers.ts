// Papers that only the panel generates: receipts, statements, closed days of the till, notices. They are generated for each request and not stored.
import { requireCustomer } from '../../domain/customers/customer-view.ts';
import { rolesFor } from '../../domain/identity/roles.ts';
import { logNotice, NOTICE_FIELDS, type NoticeLogged, openNotice } from '../../domain/sale-papers/notice-paper.ts';
import { type AnyReceipt, RECEIPT_SIZES, readReceipt } from '../../domain/sale-papers/receipt-paper.ts';
import { readStatementPaper, readTillPaper } from '../../domain/sale-papers/statement-paper.ts';
import { drawReceipt } from '../../domain/sale-papers/verified-receipt.ts';
import { dayIn } from '../../kit/clock.ts';
import { fail } from '../../kit/errors.ts';
import { CURRENCIES } from '../../kit/money.ts';
import { dayParam, oneOfParam, requiredParam, withFallback } from '../../kit/params.ts';
import { type PanelFile, panelGet, panelPost } from '../kit/endpoint.ts';
import { idsParam } from '../kit/ids-param.ts';
import { fileOf, refuseLook, sentOnce } from '../kit/paper-file.ts';
import { type Writing, writeInAccount } from '../kit/write.ts';

/** Names in a PDF cannot be masked, so viewers do not get it. */
const READERS = rolesFor({ scope: 'collections:read', risk: 'read' }).filter((role) => role !== 'viewer');
const SELLERS = rolesFor({ scope: 'sales:write', risk: 'write' });

const STATEMENT = {
  currency: requiredParam(oneOfParam(CURRENCIES)),
  from: requiredParam(dayParam),
  to: requiredParam(dayParam),
};

async function receiptFile(writing: Writing, id: string, receipt: AnyReceipt): Promise<PanelFile> {
  const { services, account } = writing;
  const { drawn, number, checkedAt } = await drawReceipt(
    {
      database: services.database,
      dataSet: account.id,
      publicUrl: services.publicUrl(),
      write: (run) => writeInAccount(writing, run),
    },
    id,
    receipt,
  );
  return sentOnce(drawn, number, checkedAt);
}

function requireOrder({ from, to }: { readonly from: string; readonly to: string }): void {
  const allowed = { en: 'on or before to', tr: 'to değerinden sonra olmayan bir tarih' };
  if (from > to) fail('invalid_parameter', { param: 'from', words: { allowed } });
}

export const paperEndpoints = [
  panelGet('collections/{collection_id}/receipt.pdf', {
    who: READERS,
    databaseRole: 'none',
    query: { size: withFallback(oneOfParam(RECEIPT_SIZES), 'A5') },
    run: async (context): Promise<PanelFile> => {
      const { params, query, services, account, session } = context;
      refuseLook(session);
      const receipt = await services.database.inTenant(account.id, 'read', (db) =>
        readReceipt(db, params.collection_id, query.size),
      );
      return receiptFile(context, params.collection_id, receipt);
    },
  }),
  panelGet('customers/{customer_id}/statement.pdf', {
    who: READERS,
    databaseRole: 'none',
    query: STATEMENT,
    run: async ({ params, query, services, account, now, session }): Promise<PanelFile> => {
      refuseLook(session);
      requireOrder(query);
      const filter = { ...query, today: dayIn(now, account.timezone) };
      const paper = await services.database.inTenant(account.id, 'read', async (db) => {
        await requireCustomer(db, params.customer_id);
        return readStatementPaper(db, [params.customer_id], filter);
      });
      return fileOf(account.id, paper, `ekstre-${query.currency}-${query.to}`);
    },
  }),
  panelGet('statements.pdf', {
    who: READERS,
    databaseRole: 'none',
    query: { ...STATEMENT, ids: requiredParam(idsParam) },
    run: async ({ query, services, account, now, session }): Promise<PanelFile> => {
      refuseLook(session);
      requireOrder(query);
      const filter = { ...query, today: dayIn(now, account.timezone) };
      const paper = await services.database.inTenant(account.id, 'read', (db) => readStatementPaper(db, query.ids, filter));
      return fileOf(account.id, paper, `ekstreler-${query.currency}-${query.to}`);
    },
  }),
  panelGet('till/closings/{closing_id}/closing.pdf', {
    who: READERS.filter((role) => role !== 'sales'),
    databaseRole: 'none',
    run: async ({ params, services, account, session }): Promise<PanelFile> => {
      refuseLook(session);
      const paper = await services.database.inTenant(account.id, 'read', (db) => readTillPaper(db, params.closing_id));
      return fileOf(account.id, paper, `kasa-${paper.day}`);
    },
  }),
  panelPost('sales/{sale_id}/notice', {
    who: SELLERS,
    databaseRole: 'none',
    bodySchema: NOTICE_FIELDS,
    run: (context): Promise<NoticeLogged> =>
      writeInAccount(context, (work) => logNotice(work, context.params.sale_id, context.body)),
  }),
  panelGet('sales/{sale_id}/notice.pdf', {
    who: SELLERS,
    databaseRole: 'none',
    query: { deadline: requiredParam(dayParam) },
    run: async (context): Promise<PanelFile> => {
      refuseLook(context.session);
      const { sale_id } = context.params;
      const paper = await writeInAccount(context, (work) => openNotice(work, sale_id, context.query.deadline));
      return fileOf(context.account.id, paper, `ihtar-${paper.sale_no}`);
    },
  }),
];
