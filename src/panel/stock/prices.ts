// Prices that a person changed in bulk, put back unless they were changed again.
import { rolesFor } from '../../domain/identity/roles.ts';
import { UNDO_PRICES_FIELDS, type UndonePrices, undoPrices } from '../../domain/stock/vehicle-bulk.ts';
import { panelPost } from '../kit/endpoint.ts';
import { writeInAccount } from '../kit/write.ts';

export const priceEndpoints = [
  panelPost('vehicles/undo-prices', {
    who: rolesFor({ scope: 'vehicles:write', risk: 'write' }),
    databaseRole: 'none',
    bodySchema: UNDO_PRICES_FIELDS,
    run: (context): Promise<UndonePrices> => writeInAccount(context, (work) => undoPrices(work, context.body.changes)),
  }),
];
