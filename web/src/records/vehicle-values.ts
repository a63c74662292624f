// The words a vehicle's closed lists have on the wire.
import type { BODY_TYPES, FUEL_TYPES, TRANSMISSIONS, VEHICLE_SOURCES } from '../../../src/domain/stock/stock-states.ts';

/** Names of a closed list, held complete by the type. */
const every = <Word extends string>(words: Readonly<Record<Word, true>>): readonly Word[] => Object.keys(words) as Word[];

export const FUELS = every<(typeof FUEL_TYPES)[number]>({
  Benzin: true,
  Dizel: true,
  LPG: true,
  'Benzin+LPG': true,
  Hibrit: true,
  Elektrik: true,
});
export const GEARBOXES = every<(typeof TRANSMISSIONS)[number]>({ Manuel: true, Otomatik: true, 'Yarı Otomatik': true });
export const BODIES = every<(typeof BODY_TYPES)[number]>({
  Sedan: true,
  Hatchback: true,
  SUV: true,
  'Station Wagon': true,
  Coupe: true,
  Cabrio: true,
  'Pick-up': true,
  Minivan: true,
  Panelvan: true,
  Diğer: true,
});
export const SOURCES = every<(typeof VEHICLE_SOURCES)[number]>({
  'Satın Alma': true,
  Takas: true,
  Konsinye: true,
  İthalat: true,
});
