// What only the panel does with customers: names of companies beside a list, list and restore deleted ones, and erase one at their own request.
import { type Erased, eraseCustomer } from '../../domain/customers/customer-erase.ts';
import {
  type DeletedCustomer,
  listDeletedCustomers,
  requireName,
  restoreCustomer,
} from '../../domain/customers/customer-restore.ts';
import { type CompanyName, type CustomerDetail, readCompanyNames } from '../../domain/customers/customer-view.ts';
import { rolesFor } from '../../domain/identity/roles.ts';
import { required, textField } from '../../domain/records/fields.ts';
import { paging, requiredParam } from '../../kit/params.ts';
import { listed, panelGet, panelPost } from '../kit/endpoint.ts';
import { idsParam } from '../kit/ids-param.ts';
import { writeInAccount } from '../kit/write.ts';

export type { DeletedCustomer, Erased };

const WRITERS = rolesFor({ scope: 'customers:write', risk: 'destructive' });

export const customerEndpoints = [
  panelGet('customers/companies', {
    who: rolesFor({ scope: 'customers:read', risk: 'read' }),
    databaseRole: 'tenant',
    query: { ids: requiredParam(idsParam) },
    run: ({ db, query }): Promise<CompanyName[]> => readCompanyNames(db, query.ids),
  }),
  panelGet('customers/deleted', {
    who: WRITERS,
    databaseRole: 'tenant',
    query: paging,
    run: async ({ db, query }) => listed(await listDeletedCustomers(db, query), query),
  }),
  panelPost('customers/{customer_id}/restore', {
    who: WRITERS,
    databaseRole: 'none',
    run: (context): Promise<CustomerDetail> =>
      writeInAccount(context, (work) => restoreCustomer(work, context.params.customer_id)),
  }),
  panelPost('customers/{customer_id}/erase', {
    who: ['owner'],
    databaseRole: 'none',
    recent: true,
    bodySchema: { typed_name: required(textField(200)) },
    run: (context): Promise<Erased> =>
      writeInAccount(context, async (work) => {
        const { customer_id } = context.params;
        await requireName(work.db, customer_id, context.body.typed_name);
        return eraseCustomer(work, customer_id);
      }),
  }),
];
