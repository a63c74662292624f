// The message about a car that a dealer sends to a customer.
import type { VehicleDetail } from '../../../../src/domain/stock/vehicle-view.ts';
import type { Format } from '../../format.ts';
import type { Locale } from '../../preferences.ts';
import { wireWord } from '../../records/vehicles/vehicle-texts.ts';

/** What a customer reads: name, facts, equipment, price and dealer. Never the plate, which identifies the car's owner. */
export function shareText(vehicle: VehicleDetail, dealer: string, locale: Locale, format: Format): string {
  const { brand, model, model_year, trim, fuel_type, transmission, color, engine_cc, power_hp, equipment, city } = vehicle;
  const facts = [
    format.km(vehicle.km),
    wireWord(locale, fuel_type),
    wireWord(locale, transmission),
    engine_cc && `${format.number(engine_cc)} cc`,
    power_hp && `${format.number(power_hp)} hp`,
    color,
    city,
  ];
  return [
    `*${[model_year, brand, model, trim].filter(Boolean).join(' ')}*`,
    facts.filter(Boolean).join(' · '),
    equipment?.join(', '),
    `*${format.money(vehicle.price, vehicle.currency)}*`,
    dealer,
  ]
    .filter(Boolean)
    .join('\n');
}
