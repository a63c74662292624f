import { texts } from '../../language.ts';

/** English labels of the values of offers, swaps and listings, which are Turkish in the API. */
const ENGLISH: Readonly<Record<string, string>> = {
  Beklemede: 'Open',
  'Kabul Edildi': 'Agreed',
  Reddedildi: 'Rejected',
  'Karşı Teklif': 'Answered',
  'Geri Çekildi': 'Withdrawn',
  'Süresi Doldu': 'Expired',
  Tamamlandı: 'Completed',
  Bozuldu: 'Fell through',
  İptal: 'Cancelled',
  Yayında: 'Published',
  Askıda: 'Suspended',
  Kapandı: 'Closed',
  kaldırıldı: 'taken down',
  satıldı: 'sold',
  ihalede: 'at auction',
  silindi: 'deleted',
};

const TURKISH: Readonly<Record<string, string>> = {
  'Kabul Edildi': 'Anlaşıldı',
  'Karşı Teklif': 'Yanıtlandı',
  ihalede: 'müzayedede',
};

/** A value of the API as it is shown. */
export const dealWord = (locale: 'tr' | 'en', value: string): string => (locale === 'tr' ? TURKISH : ENGLISH)[value] ?? value;

export const dealTexts = texts({
  tr: {
    km: (km: string) => `${km} km`,
    noPhoto: 'Fotoğraf yok',
    reject: 'Reddet',
    reason: 'Gerekçe',
    call: (name: string) => `${name} galerisini ara`,
    reasons: {
      vehicle_unavailable: 'Araç artık satışta değil',
      listing_closed: 'İlan kapandı',
    } as Readonly<Record<string, string>>,
  },
  en: {
    km: (km: string) => `${km} km`,
    noPhoto: 'No photo',
    reject: 'Reject',
    reason: 'Reason',
    call: (name: string) => `Call ${name}`,
    reasons: {
      vehicle_unavailable: 'The car is no longer for sale',
      listing_closed: 'The listing was closed',
    } as Readonly<Record<string, string>>,
  },
});
