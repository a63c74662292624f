// What only the panel shows of sales: names beside a list, what an act would come to, who did what, and what the car cost.
import { rolesFor } from '../domain/identity/roles.ts';
import { editInstallment, INSTALLMENT_EDIT_FIELDS } from '../domain/sales/installment-writes.ts';
import { SALE_EDIT_FIELDS, SALE_FIELDS } from '../domain/sales/sale.ts';
import { readSaleCost, type SaleCost } from '../domain/sales/sale-cost.ts';
import { editSale } from '../domain/sales/sale-edit.ts';
import { readSaleHistory } from '../domain/sales/sale-history.ts';
import { readSaleNames, type SaleName } from '../domain/sales/sale-list.ts';
import { previewSale, type SalePreview } from '../domain/sales/sale-preview.ts';
import { createSale } from '../domain/sales/sale-writes.ts';
import { fail } from '../kit/errors.ts';
import { paging, requiredParam } from '../kit/params.ts';
import { listed, panelGet, panelPost } from './endpoint.ts';
import { idsParam } from './ids-param.ts';
import { writeInAccount } from './write.ts';

const READERS = rolesFor({ scope: 'sales:read', risk: 'read' });
const SELLERS = rolesFor({ scope: 'sales:write', risk: 'write' });

export const saleRows = [
  panelGet('sales/names', {
    who: READERS,
    door: 'tenant',
    query: { ids: requiredParam(idsParam) },
    run: ({ db, query }): Promise<SaleName[]> => readSaleNames(db, query.ids),
  }),
  panelPost('sales/preview', {
    who: SELLERS,
    door: 'none',
    takes: SALE_FIELDS,
    run: (context): Promise<SalePreview> =>
      previewSale(
        (run) => writeInAccount(context, run),
        async (work) => (await createSale(work, context.body)).id,
      ),
  }),
  panelPost('sales/{sale_id}/preview', {
    who: SELLERS,
    door: 'none',
    takes: SALE_EDIT_FIELDS,
    run: (context): Promise<SalePreview> =>
      previewSale(
        (run) => writeInAccount(context, run),
        async (work) => (await editSale(work, context.params.sale_id, context.body)).id,
      ),
  }),
  panelPost('installments/{installment_id}/preview', {
    who: rolesFor({ scope: 'installments:write', risk: 'write' }),
    door: 'none',
    takes: INSTALLMENT_EDIT_FIELDS,
    run: (context): Promise<SalePreview> =>
      previewSale(
        (run) => writeInAccount(context, run),
        async (work) => (await editInstallment(work, context.params.installment_id, context.body)).sale_id,
      ),
  }),
  panelGet('sales/{sale_id}/history', {
    who: READERS,
    door: 'tenant',
    query: paging,
    run: async ({ db, params, query }) => listed(await readSaleHistory(db, params.sale_id, query), query),
  }),
  panelGet('sales/{sale_id}/cost', {
    who: ['owner', 'finance'],
    door: 'tenant',
    // Whoever looks at a dealer from outside sees what its staff see, but not what its cars cost.
    run: ({ db, params, session }): Promise<SaleCost> =>
      session.look ? fail('not_permitted') : readSaleCost(db, params.sale_id),
  }),
];
