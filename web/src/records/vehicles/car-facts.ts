// The technical facts of a car in words, for its page and for the cards of other dealers' cars. What was not entered is left out.
import type { ReactNode } from 'react';
import { texts, useLocale, useTexts } from '../../language.ts';
import { useFormat } from '../../session.ts';
import { wireWord } from './vehicle-texts.ts';

export const carFactsTexts = texts({
  tr: {
    engine_cc: 'Motor hacmi',
    power_hp: 'Motor gücü',
    drive: 'Çekiş',
    steering: 'Direksiyon',
    doors: 'Kapı sayısı',
    seats: 'Koltuk sayısı',
    owners: 'Sahip sayısı',
    inspection_until: 'Muayene bitişi',
    equipment: 'Donanım',
    warranty: 'Garanti',
  },
  en: {
    engine_cc: 'Engine size',
    power_hp: 'Power',
    drive: 'Drive',
    steering: 'Steering side',
    doors: 'Doors',
    seats: 'Seats',
    owners: 'Number of owners',
    inspection_until: 'Inspection until',
    equipment: 'Equipment',
    warranty: 'Warranty',
  },
});

export interface TechnicalFacts {
  readonly engine_cc: number | null;
  readonly power_hp: number | null;
  readonly drive: string | null;
  readonly steering: string | null;
  readonly doors: number | null;
  readonly seats: number | null;
  readonly owners: number | null;
  readonly inspection_until: string | null;
  readonly equipment: readonly string[] | null;
  readonly warranty: string | null;
}

export function useTechnicalFacts(car: TechnicalFacts): { readonly name: string; readonly value: ReactNode }[] {
  const t = useTexts(carFactsTexts);
  const locale = useLocale();
  const format = useFormat();
  const { engine_cc, power_hp, drive, steering, doors, seats, owners, inspection_until, warranty } = car;
  const facts = [
    { name: t.engine_cc, value: engine_cc && `${format.number(engine_cc)} cc` },
    { name: t.power_hp, value: power_hp && `${format.number(power_hp)} hp` },
    { name: t.drive, value: drive && wireWord(locale, drive) },
    { name: t.steering, value: steering && wireWord(locale, steering) },
    { name: t.doors, value: doors },
    { name: t.seats, value: seats },
    { name: t.owners, value: owners === null ? null : String(owners) },
    { name: t.inspection_until, value: inspection_until && format.date(`${inspection_until}T12:00:00Z`) },
    { name: t.warranty, value: warranty },
  ];
  return facts.filter(({ value }) => value !== null);
}
