// The facts of a car on offer, and its body as a drawing, in the language of the customer.
import type { Pdf } from '../../formats/pdf.ts';
import { OUTLINE_GLASS, OUTLINE_PARTS, OUTLINE_SIZE, OUTLINE_WHEELS } from '../../media/car-outline.ts';
import { vehicleWord } from '../../stock/vehicle-words.ts';
import type { CarPaper } from '../paper.ts';
import { day, figure } from '../paper-words.ts';
import type { Fact } from './paper-layout.ts';

export const WORDS = {
  tr: {
    offer: 'TEKLİF',
    for: 'Sayın',
    price: 'Fiyat',
    model_year: 'Model yılı',
    km: 'Kilometre',
    fuel: 'Yakıt',
    gearbox: 'Vites',
    body: 'Kasa',
    color: 'Renk',
    engine: 'Motor hacmi',
    power: 'Motor gücü',
    drive: 'Çekiş',
    steering: 'Direksiyon',
    doors: 'Kapı',
    seats: 'Koltuk',
    owners: 'Sahip sayısı',
    inspection: 'Muayene bitişi',
    warranty: 'Garanti',
    equipment: 'Donanım',
    body_state: 'Kaporta',
    states: { painted: 'Boyalı', locally_painted: 'Lokal boyalı', replaced: 'Değişen' },
    letters: { painted: 'B', locally_painted: 'L', replaced: 'D' },
    all_original: 'Boyalı ya da değişen parça yok',
    tramer: 'Hasar kaydı',
    ask: 'WhatsApp ile sorun',
    date: 'Tarih',
    payment: 'Ödeme önerisi',
    down: 'Peşinat',
    charge: 'Vade farkı',
    total: 'Toplam',
    financed: 'Taksitlenen tutar',
    count: 'Taksit sayısı',
    first: 'İlk taksit',
    plan: 'Taksitler',
    no: 'No',
    due: 'Vade',
    sum: 'Tutar',
    valid: (until: string) =>
      `Bu teklif ${until} gününe kadar geçerlidir. Bilgi içindir, satış sözleşmesi değildir; araç bu süre içinde başkasına satılmışsa teklif hükümsüzdür.`,
    dealer: 'Teklifi veren',
  },
  en: {
    offer: 'OFFER',
    for: 'For',
    price: 'Price',
    model_year: 'Model year',
    km: 'Kilometres',
    fuel: 'Fuel',
    gearbox: 'Gearbox',
    body: 'Body',
    color: 'Colour',
    engine: 'Engine size',
    power: 'Power',
    drive: 'Drive',
    steering: 'Steering',
    doors: 'Doors',
    seats: 'Seats',
    owners: 'Owners',
    inspection: 'Inspection until',
    warranty: 'Warranty',
    equipment: 'Equipment',
    body_state: 'Body',
    states: { painted: 'Painted', locally_painted: 'Locally painted', replaced: 'Replaced' },
    letters: { painted: 'P', locally_painted: 'L', replaced: 'R' },
    all_original: 'No part is painted or replaced',
    tramer: 'Damage on record',
    ask: 'Ask on WhatsApp',
    date: 'Date',
    payment: 'Proposed payment',
    down: 'Down payment',
    charge: 'Finance charge',
    total: 'Total',
    financed: 'Paid in installments',
    count: 'Installments',
    first: 'First installment',
    plan: 'Installments',
    no: 'No',
    due: 'Due',
    sum: 'Amount',
    valid: (until: string) =>
      `This offer is valid until ${until}. It is for information and is not a contract of sale; it lapses if the car is sold to another buyer before then.`,
    dealer: 'Offered by',
  },
} as const;

/** `84.500`, on a paper in English `84,500`. */
const grouped = (value: number, words: CarPaper['words']): string => {
  const turkish = figure(BigInt(value) * 100n).slice(0, -3);
  return words === 'tr' ? turkish : turkish.replaceAll('.', ',');
};

export const nameOf = ({ car }: CarPaper): string => [car.brand, car.model, car.trim].filter(Boolean).join(' ');

/** What was not entered is left out. */
export function carFacts({ words, car }: CarPaper): Fact[] {
  const t = WORDS[words];
  const word = (value: string | null) => value && vehicleWord(words, value);
  const measured = (value: number | null, unit: string) => value && `${grouped(value, words)} ${unit}`;
  const known: readonly (readonly [string, string | number | null])[] = [
    [t.model_year, String(car.model_year)],
    [t.km, grouped(car.km, words)],
    [t.fuel, word(car.fuel_type)],
    [t.gearbox, word(car.transmission)],
    [t.body, word(car.body_type)],
    [t.color, car.color],
    [t.engine, measured(car.engine_cc, 'cc')],
    [t.power, measured(car.power_hp, 'hp')],
    [t.drive, word(car.drive)],
    [t.steering, word(car.steering)],
    [t.doors, car.doors],
    [t.seats, car.seats],
    [t.owners, car.owners],
    [t.inspection, car.inspection_until && day(car.inspection_until)],
  ];
  return known.flatMap(([name, value]) => (value === null ? [] : [[name, String(value)] as const]));
}

const MOST_EQUIPMENT = 14;

/** Those that take a line of their own. The first of the equipment are named, and how many more there are. */
export function longFacts({ words, car: { warranty, equipment } }: CarPaper): Fact[] {
  const t = WORDS[words];
  const more = equipment.length - MOST_EQUIPMENT;
  const named = equipment.slice(0, MOST_EQUIPMENT).join(', ') + (more > 0 ? ` +${more}` : '');
  return [
    ...(warranty === null ? [] : [[t.warranty, warranty] as const]),
    ...(named === '' ? [] : [[t.equipment, named] as const]),
  ];
}

const STATES = ['replaced', 'painted', 'locally_painted'] as const;
const GREYS: Readonly<Record<(typeof STATES)[number], number>> = { replaced: 0.55, painted: 0.72, locally_painted: 0.86 };

/** Each state that occurs with its letter on the drawing, and the parts. */
export function bodyFacts({ words, car }: CarPaper): Fact[] {
  const t = WORDS[words];
  if (car.condition === null) return [];
  const { condition } = car;
  const listed = STATES.flatMap((state): Fact[] => {
    const parts = condition[state].map((part) => vehicleWord(words, part));
    return parts.length === 0 ? [] : [[`${t.states[state]} (${t.letters[state]})`, parts.join(', ')]];
  });
  const whole: Fact[] = listed.length === 0 ? [[t.body_state, t.all_original]] : listed;
  return condition.tramer === null ? whole : [...whole, [t.tramer, condition.tramer]];
}

/** The car from above, so high; the parts that are not original are grey and have a letter. */
export function drawBody(pdf: Pdf, { words, car: { condition } }: CarPaper, box: { x: number; y: number; height: number }): void {
  if (condition === null) return;
  const t = WORDS[words];
  const size = box.height / OUTLINE_SIZE.height;
  const stateOf = (part: string) => STATES.find((state) => condition[state].includes(part));
  const plain = [...OUTLINE_WHEELS, ...OUTLINE_GLASS].map((path) => ({ path, grey: 0.8 }));
  const parts = OUTLINE_PARTS.map(({ part, path }) => ({ path, grey: greyOf(stateOf(part)) }));
  pdf.shapes([...plain, ...parts], { x: box.x, y: box.y, size }, t.body_state);
  const below = pdf.y;
  for (const { part, box: place } of OUTLINE_PARTS) {
    const state = stateOf(part);
    if (state === undefined) continue;
    const letter = Math.max(7, 26 * size);
    pdf.y = box.y + (place.y + place.height / 2) * size - letter * 0.6;
    const at = { x: box.x + (place.x - 10) * size, width: (place.width + 20) * size };
    pdf.text('P', t.letters[state], { size: letter, bold: true, align: 'center' }, at);
  }
  pdf.y = below;
}

const greyOf = (state: (typeof STATES)[number] | undefined): number => (state === undefined ? 1 : GREYS[state]);

export const bodyWidth = (height: number): number => (height * OUTLINE_SIZE.width) / OUTLINE_SIZE.height;
