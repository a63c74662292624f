import type { LiveLot } from '../../records/auctions/auctions.ts';
import { MarkSold, TakeIn } from '../vehicle-media/take-in.tsx';

/** What follows a lot that was struck: its winner takes the car in, its seller marks it as sold. */
export function AfterLot({ lot }: { readonly lot: LiveLot }) {
  const { id, vehicle, vehicle_id, my_role, am_i_leading, current_bid, currency } = lot;
  if (current_bid === null) return null;
  if (my_role === 'seller' && vehicle_id !== null)
    return <MarkSold vehicleId={vehicle_id} amount={current_bid} currency={currency} />;
  return am_i_leading ? <TakeIn deal={{ id, car: vehicle, amount: current_bid, currency }} /> : null;
}
