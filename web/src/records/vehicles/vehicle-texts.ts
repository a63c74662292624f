import { vehicleWord } from '../../../../src/domain/stock/vehicle-words.ts';
import { texts } from '../../language.ts';

export const vehicleTexts = texts({
  tr: {
    /** Deleted, or not read just now. */
    gone: 'Araç gösterilemiyor',
    picker: {
      hint: 'Plaka, marka ya da model yazın.',
      none: 'Eşleşen araç yok.',
      results: 'Bulunan araçlar',
      clear: 'Araç bağını kaldır',
    },
  },
  en: {
    gone: 'Vehicle not available',
    picker: {
      hint: 'Type a plate, brand or model.',
      none: 'No vehicle matches.',
      results: 'Vehicles found',
      clear: 'Remove the vehicle',
    },
  },
});

/** English labels of what happens to a vehicle; those of the car itself are shared with papers. */
const ENGLISH: Readonly<Record<string, string>> = {
  'Satın Alma': 'Purchase',
  Takas: 'Trade-in',
  Konsinye: 'Consignment',
  İthalat: 'Import',
  Müşteri: 'Customer',
  'Ağ Teklifi': 'Network offer',
  İhale: 'Auction',
  'Canlı Müzayede': 'Live auction',
  'Pazar Teklifi': 'Marketplace offer',
};

/** One word for an auction among dealers, independent of the API's value. */
const TURKISH: Readonly<Record<string, string>> = { İhale: 'Müzayede' };

export const wireWord = (locale: 'tr' | 'en', value: string): string =>
  (locale === 'tr' ? TURKISH : ENGLISH)[value] ?? vehicleWord(locale, value);
