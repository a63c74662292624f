import { texts } from '../language.ts';

/** English labels of a sale's values, which are Turkish in the API. */
const ENGLISH: Readonly<Record<string, string>> = {
  Aktif: 'Open',
  Tamamlandı: 'Completed',
  İptal: 'Cancelled',
  Peşin: 'Cash',
  Taksitli: 'Installments',
  Peşinat: 'Down payment',
  Taksit: 'Installment',
  'Ara Ödeme': 'Extra payment',
  Bekliyor: 'Open',
  'Kısmi Ödendi': 'Partly paid',
  Ödendi: 'Paid',
  Yapılandırıldı: 'Restructured',
  Aylık: 'Monthly',
  '15 Günlük': 'Every 15 days',
  Haftalık: 'Weekly',
  Tahsilat: 'Collection',
  Kapora: 'Deposit',
  Mahsup: 'Offset',
  İndirim: 'Discount',
  'Ters Kayıt': 'Reversal',
  İade: 'Refund',
  Nakit: 'Cash',
  'Havale/EFT': 'Bank transfer',
  'Kredi Kartı': 'Credit card',
  Çek: 'Cheque',
  Senet: 'Promissory note',
  'Güvenli Ödeme': 'Escrow',
  Diğer: 'Other',
  'Erken Ödeme': 'Early payment',
  Küsurat: 'Rounding',
  Anlaşma: 'Agreement',
  Silme: 'Write-off',
  Karşılıksız: 'Bounced',
  'Yanlış Kayıt': 'Wrong entry',
  Tutuldu: 'Kept',
  Tutulmadı: 'Broken',
  Yapıldı: 'Done',
  Yok: 'None',
  İhtar: 'Notice sent',
  Avukatta: 'With a lawyer',
  İcrada: 'In enforcement',
  iade: 'Give it back',
  kalsın: 'Keep it',
};

const TURKISH: Readonly<Record<string, string>> = { iade: 'Geri verilsin', kalsın: 'Bizde kalsın' };

/** A value of the API as it is shown. */
export const saleWord = (locale: 'tr' | 'en', value: string): string => (locale === 'tr' ? TURKISH : ENGLISH)[value] ?? value;

export const saleTexts = texts({
  tr: {
    overdueDays: (n: number) => `${n} gün gecikti`,
    reversed: 'İptal edildi',
    rowOf: (n: number, all: number) => `${n}/${all}. taksit`,
    down: 'Peşinat',
    oldRow: (n: number) => `Eski ${n}. taksit`,
  },
  en: {
    overdueDays: (n: number) => (n === 1 ? '1 day late' : `${n} days late`),
    reversed: 'Reversed',
    rowOf: (n: number, all: number) => `Installment ${n}/${all}`,
    down: 'Down payment',
    oldRow: (n: number) => `Former ${n}`,
  },
});
