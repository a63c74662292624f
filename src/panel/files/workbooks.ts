// Lists as Excel workbooks, besides CSV. Bytes cannot be masked, so people who see masked names do not get them.
import { requireCustomer } from '../../domain/customers/customer-view.ts';
import { writeTable } from '../../domain/formats/table-write.ts';
import { writeXlsx, XLSX_TYPE } from '../../domain/formats/xlsx-write.ts';
import { rolesFor } from '../../domain/identity/roles.ts';
import { statementSheet } from '../../domain/receivables/statement-csv.ts';
import { patient } from '../../domain/records/list-file.ts';
import { exportTable } from '../../domain/stock/vehicle-export.ts';
import { dayIn } from '../../kit/clock.ts';
import { PanelFile, panelGet } from '../kit/endpoint.ts';
import { refuseLook } from '../kit/paper-file.ts';
import { requireOrder, STATEMENT } from '../sales/receivables.ts';
import { StockFilters, stockWhere } from '../stock/stock.ts';

const unmasked = (scope: 'vehicles:read' | 'collections:read') =>
  rolesFor({ scope, risk: 'read' }).filter((role) => role !== 'viewer');

export const workbookEndpoints = [
  panelGet('vehicles/export.xlsx', {
    who: unmasked('vehicles:read'),
    databaseRole: 'none',
    query: StockFilters,
    run: async ({ query, account: { id, timezone }, now, session, services }): Promise<PanelFile> => {
      refuseLook(session);
      const inTenant = patient((work) => services.copies.read(id, 'latest', work));
      const { locale } = session.person;
      const table = await exportTable(inTenant, stockWhere(query, timezone, now), { timezone, locale, now, query });
      const name = locale === 'tr' ? 'araclar' : 'vehicles';
      return new PanelFile(`${name}-${dayIn(now, timezone)}.xlsx`, XLSX_TYPE, writeTable('xlsx', table, locale));
    },
  }),
  panelGet('customers/{customer_id}/statement.xlsx', {
    who: unmasked('collections:read'),
    databaseRole: 'tenant',
    onStandby: true,
    query: STATEMENT,
    run: async ({ db, params, query, account, now, session }): Promise<PanelFile> => {
      refuseLook(session);
      requireOrder(query);
      await requireCustomer(db, params.customer_id);
      const filter = { ...query, customer_id: params.customer_id, today: dayIn(now, account.timezone) };
      const sheet = await statementSheet(db, filter, session.person.locale);
      return new PanelFile(`ekstre-${query.currency}-${query.to}.xlsx`, XLSX_TYPE, writeXlsx([sheet]));
    },
  }),
];
