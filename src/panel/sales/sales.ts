// What only the panel shows of sales: names for a list, previews of actions, who did what, and the cost of the car.
import { rolesFor } from '../../domain/identity/roles.ts';
import type { Collection } from '../../domain/sales/collection.ts';
import { COLLECTION_FIELDS, collectAll } from '../../domain/sales/collection-writes.ts';
import { editInstallment, INSTALLMENT_EDIT_FIELDS } from '../../domain/sales/installment-writes.ts';
import { SALE_EDIT_FIELDS, SALE_FIELDS } from '../../domain/sales/sale.ts';
import { CANCEL_FIELDS } from '../../domain/sales/sale-cancel.ts';
import { editSale } from '../../domain/sales/sale-edit.ts';
import { readSaleHistory } from '../../domain/sales/sale-history.ts';
import { readSaleNames, type SaleName } from '../../domain/sales/sale-list.ts';
import { type CancelPreview, previewCancel, type SalePreview, showSalePreview } from '../../domain/sales/sale-preview.ts';
import { createSale } from '../../domain/sales/sale-writes.ts';
import { paging, requiredParam } from '../../kit/params.ts';
import { listed, panelGet, panelPost } from '../kit/endpoint.ts';
import { idsParam } from '../kit/ids-param.ts';
import { previewInAccount } from '../kit/write.ts';

const READERS = rolesFor({ scope: 'sales:read', risk: 'read' });
const SELLERS = rolesFor({ scope: 'sales:write', risk: 'write' });

export const saleEndpoints = [
  panelGet('sales/names', {
    who: READERS,
    databaseRole: 'tenant',
    query: { ids: requiredParam(idsParam) },
    run: ({ db, query }): Promise<SaleName[]> => readSaleNames(db, query.ids),
  }),
  panelPost('sales/preview', {
    who: SELLERS,
    databaseRole: 'none',
    bodySchema: SALE_FIELDS,
    run: (context): Promise<SalePreview> =>
      previewInAccount(context, async (work) => showSalePreview(work, (await createSale(work, context.body)).id)),
  }),
  panelPost('sales/{sale_id}/preview', {
    who: SELLERS,
    databaseRole: 'none',
    bodySchema: SALE_EDIT_FIELDS,
    run: (context): Promise<SalePreview> =>
      previewInAccount(context, async (work) => {
        const { id } = await editSale(work, context.params.sale_id, context.body);
        return showSalePreview(work, id);
      }),
  }),
  panelPost('sales/{sale_id}/cancel-preview', {
    who: rolesFor({ scope: 'sales:write', risk: 'destructive' }),
    databaseRole: 'none',
    bodySchema: CANCEL_FIELDS,
    run: (context): Promise<CancelPreview> =>
      previewInAccount(context, (work) => previewCancel(work, context.params.sale_id, context.body)),
  }),
  // A dry run of the catalog's endpoint returns the amount only; a person also needs to see what is forgiven.
  panelPost('collections/preview', {
    who: rolesFor({ scope: 'collections:write', risk: 'write' }),
    databaseRole: 'none',
    bodySchema: COLLECTION_FIELDS,
    run: (context): Promise<readonly Collection[]> => previewInAccount(context, (work) => collectAll(work, context.body)),
  }),
  panelPost('installments/{installment_id}/preview', {
    who: rolesFor({ scope: 'installments:write', risk: 'write' }),
    databaseRole: 'none',
    bodySchema: INSTALLMENT_EDIT_FIELDS,
    run: (context): Promise<SalePreview> =>
      previewInAccount(context, async (work) => {
        const { sale_id } = await editInstallment(work, context.params.installment_id, context.body);
        return showSalePreview(work, sale_id);
      }),
  }),
  panelGet('sales/{sale_id}/history', {
    who: READERS,
    databaseRole: 'tenant',
    query: paging,
    run: async ({ db, params, query }) => listed(await readSaleHistory(db, params.sale_id, query), query),
  }),
];
