// «Göster»: reveals stored values that no key can read, to owner and finance, after a password check; each reveal is audited.
import { type CustomerSecrets, revealCustomer } from '../domain/customers/customer-reveal.ts';
import { revealSaleCost, type SaleCost } from '../domain/sales/sale-cost.ts';
import { revealVehicle, type VehicleSecrets } from '../domain/stock/vehicle-reveal.ts';
import { panelPost } from './kit/endpoint.ts';
import { writeInAccount } from './kit/write.ts';

export type { CustomerSecrets, SaleCost, VehicleSecrets };

export const revealEndpoints = [
  panelPost('vehicles/{vehicle_id}/reveal', {
    who: ['owner', 'finance'],
    databaseRole: 'none',
    recent: true,
    run: (context): Promise<VehicleSecrets> => writeInAccount(context, (work) => revealVehicle(work, context.params.vehicle_id)),
  }),
  panelPost('sales/{sale_id}/reveal', {
    who: ['owner', 'finance'],
    databaseRole: 'none',
    recent: true,
    run: (context): Promise<SaleCost> => writeInAccount(context, (work) => revealSaleCost(work, context.params.sale_id)),
  }),
  panelPost('customers/{customer_id}/reveal', {
    who: ['owner', 'finance'],
    databaseRole: 'none',
    recent: true,
    run: (context): Promise<CustomerSecrets> =>
      writeInAccount(context, (work) => revealCustomer(work, context.params.customer_id)),
  }),
];
