// Open deposits as the panel shows them: a reservation that expires leaves its deposit open until the dealer decides.
import type { Db } from '../../kit/db.ts';
import type { Currency } from '../../kit/money.ts';
import { allOf, own, sql } from '../../kit/sql.ts';

export interface OpenDepositView {
  readonly collection_id: string;
  readonly receipt_no: string;
  readonly collected_on: string;
  readonly amount: string;
  readonly currency: Currency;
  readonly customer_id: string;
  readonly vehicle_id: string;
  /** The car is still reserved for this customer, so ending the reservation decides on the deposit. */
  readonly is_held: boolean;
}

interface OpenDepositsQuery {
  readonly vehicle_id?: string | undefined;
  readonly customer_id?: string | undefined;
}

export const listOpenDeposits = (db: Db, { vehicle_id, customer_id }: OpenDepositsQuery): Promise<OpenDepositView[]> =>
  db.rows<OpenDepositView>(sql`select id as collection_id, receipt_no, collected_on, money_text(amount_minor) as amount, currency, customer_id,
      vehicle_id, exists (select from ${own('reservations')} where reservations.vehicle_id = collections.vehicle_id
        and reservations.customer_id = collections.customer_id and reservations.status = 'Aktif') as is_held
    from ${own('collections')} where deposit_status = 'Açık' ${allOf([
      ...(vehicle_id === undefined ? [] : [sql`vehicle_id = ${vehicle_id}`]),
      ...(customer_id === undefined ? [] : [sql`customer_id = ${customer_id}`]),
    ])} order by collected_on, id limit 100`);
