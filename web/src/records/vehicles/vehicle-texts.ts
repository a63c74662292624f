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

/** English labels of a vehicle's values, which are Turkish in the API. */
const ENGLISH: Readonly<Record<string, string>> = {
  Benzin: 'Petrol',
  Dizel: 'Diesel',
  'Benzin+LPG': 'Petrol+LPG',
  Hibrit: 'Hybrid',
  Elektrik: 'Electric',
  Manuel: 'Manual',
  Otomatik: 'Automatic',
  'Yarı Otomatik': 'Semi-automatic',
  Diğer: 'Other',
  'Motor Kaputu': 'Bonnet',
  Tavan: 'Roof',
  'Bagaj Kapağı': 'Boot lid',
  'Ön Tampon': 'Front bumper',
  'Arka Tampon': 'Rear bumper',
  'Sol Ön Çamurluk': 'Front left wing',
  'Sağ Ön Çamurluk': 'Front right wing',
  'Sol Arka Çamurluk': 'Rear left wing',
  'Sağ Arka Çamurluk': 'Rear right wing',
  'Sol Ön Kapı': 'Front left door',
  'Sağ Ön Kapı': 'Front right door',
  'Sol Arka Kapı': 'Rear left door',
  'Sağ Arka Kapı': 'Rear right door',
  'Satın Alma': 'Purchase',
  Takas: 'Trade-in',
  Konsinye: 'Consignment',
  İthalat: 'Import',
  Önden: 'Front',
  Arkadan: 'Rear',
  Sol: 'Left',
  Sağ: 'Right',
  Müşteri: 'Customer',
  'Ağ Teklifi': 'Network offer',
  İhale: 'Auction',
  'Canlı Müzayede': 'Live auction',
  'Pazar Teklifi': 'Marketplace offer',
};

/** One word for an auction among dealers, independent of the API's value. */
const TURKISH: Readonly<Record<string, string>> = { İhale: 'Müzayede' };

export const wireWord = (locale: 'tr' | 'en', value: string): string => (locale === 'tr' ? TURKISH : ENGLISH)[value] ?? value;
