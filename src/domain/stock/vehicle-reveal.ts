// A car's data that no key can read. The panel shows it to the roles that panel/reveals.ts names; each access is audited.
import { type Currency, formatMoney } from '../../kit/money.ts';
import { own, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { audit } from '../writes/audit.ts';

export interface VehicleSecrets {
  readonly chassis_no: string | null;
  readonly engine_no: string | null;
  /** The currency of the amounts; null without a purchase price. */
  readonly purchase_currency: Currency | null;
  readonly purchase_price: string | null;
  readonly customs_fee: string | null;
  readonly other_costs: string | null;
  readonly cost: string | null;
  /** Asking price less cost; null if they are in different currencies or there is no cost. */
  readonly margin: string | null;
}

interface Stored {
  readonly price_minor: bigint;
  readonly currency: Currency;
  readonly chassis_no: string | null;
  readonly engine_no: string | null;
  readonly purchase_currency: Currency | null;
  readonly purchase_price_minor: bigint | null;
  readonly customs_fee_minor: bigint | null;
  readonly other_costs_minor: bigint | null;
}

export async function revealVehicle({ db, actor, account }: Work, id: string): Promise<VehicleSecrets> {
  const stored = await db.one<Stored>(sql`select price_minor, currency, chassis_no, engine_no, purchase_currency,
      purchase_price_minor, customs_fee_minor, other_costs_minor from ${own('vehicles')} where id = ${id}`);
  await audit(db, actor, 'vehicle.revealed', id, { accountId: account.id });
  const shown = (amount: bigint | null) => (amount === null ? null : formatMoney(amount));
  const { purchase_price_minor: paid, customs_fee_minor: customs, other_costs_minor: other } = stored;
  const bought = paid === null ? null : (stored.purchase_currency ?? stored.currency);
  const cost = paid === null ? null : paid + (customs ?? 0n) + (other ?? 0n);
  return {
    chassis_no: stored.chassis_no,
    engine_no: stored.engine_no,
    purchase_currency: bought,
    purchase_price: shown(paid),
    customs_fee: shown(customs),
    other_costs: shown(other),
    cost: shown(cost),
    margin: cost === null || bought !== stored.currency ? null : formatMoney(stored.price_minor - cost),
  };
}
