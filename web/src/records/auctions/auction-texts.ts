import { plural, texts } from '../../language.ts';

/** English labels of the values of auctions, events, lots and requests, which are Turkish in the API. */
const ENGLISH: Readonly<Record<string, string>> = {
  Planlandı: 'Planned',
  Canlı: 'Live',
  Bitti: 'Over',
  İptal: 'Cancelled',
  Satıldı: 'Sold',
  Satılmadı: 'Not sold',
  Bozuldu: 'Fell through',
  Sırada: 'Waiting',
  Açık: 'Open',
  Çekildi: 'Withdrawn',
  Beklemede: 'Waiting',
  Onaylandı: 'Approved',
  Reddedildi: 'Rejected',
};

export const auctionWord = (locale: 'tr' | 'en', value: string): string => (locale === 'tr' ? value : (ENGLISH[value] ?? value));

/** «Katılımcı 3» in the reader's language; the wire value is Turkish. */
export const aliasWord = (locale: 'tr' | 'en', alias: string): string =>
  locale === 'tr' ? alias : alias.replace('Katılımcı', 'Bidder');

export const bidTexts = texts({
  tr: {
    history: 'Peyler',
    noBids: 'Henüz pey yok',
    you: 'Siz',
    day: 'gün',
    hour: 'saat',
    whole: (n: number) => `Kayıt doğrulandı: ${n} peyin zinciri eksiksiz`,
    part: (n: number) => `Son ${n} peyin zinciri doğrulandı`,
    broken: (n: number) => `Zincir ${n}. peyde bozuk: kayıt değiştirilmiş olabilir`,
    unable: 'Bu tarayıcı kaydı bu adreste doğrulayamıyor',
    verify: 'Kaydı doğrula',
    farTitle: (amount: string) => `${amount} verilsin mi?`,
    farText: (amount: string, minimum: string) =>
      `Sıradaki en düşük pey ${minimum}. ${amount} bunun çok üstünde. Pey bağlayıcıdır, geri alınamaz.`,
    bid: 'Pey ver',
    tooLow: (minimum: string) => `En az ${minimum}`,
  },
  en: {
    history: 'Bids',
    noBids: 'No bids yet',
    you: 'You',
    day: 'd',
    hour: 'h',
    whole: (n: number) => `Log verified: the chain of ${plural(n, 'bid', 'bids')} is complete`,
    part: (n: number) => `The chain of the last ${plural(n, 'bid', 'bids')} is verified`,
    broken: (n: number) => `The chain breaks at bid ${n}: the log may have been changed`,
    unable: 'This browser cannot verify the log at this address',
    verify: 'Verify the log',
    farTitle: (amount: string) => `Bid ${amount}?`,
    farText: (amount: string, minimum: string) =>
      `The next minimum is ${minimum}. ${amount} is far above it. A bid binds and cannot be taken back.`,
    bid: 'Bid',
    tooLow: (minimum: string) => `At least ${minimum}`,
  },
});
