import { texts } from '../../language.ts';

export const takeInTexts = texts({
  tr: {
    takeIn: 'Stoğuma ekle',
    title: (car: string) => `${car}: stoğuma ekle`,
    text: (amount: string) => `Bilgileri ve fotoğrafları kopyalanır; alış bedeli ${amount} olarak yazılır.`,
    textOfSwap: 'Bilgileri ve fotoğrafları kopyalanır; kaynağı takas olarak yazılır.',
    plate: 'Plaka',
    price: 'Satış fiyatı',
    done: 'Araç stoğa eklendi',
    photosLeft: (n: number) => `${n} fotoğraf alınamadı; araç sayfasından ekleyin.`,
    markSold: 'Satıldı olarak işaretle',
    soldTitle: 'Araç satıldı olarak işaretlensin mi?',
    soldText: (amount: string) => `Araç ${amount} bedelle satıldı olarak işaretlenir, ilanı kapanır ve anlaşma tamamlanır.`,
    soldTextOfSwap: 'Aracınız satıldı olarak işaretlenir ve ilanı kapanır. Karşı taraf da işaretleyince takas tamamlanır.',
    sold: 'Araç satıldı olarak işaretlendi',
  },
  en: {
    takeIn: 'Add to my stock',
    title: (car: string) => `${car}: add to my stock`,
    text: (amount: string) => `Its details and photos are copied; the purchase price is ${amount}.`,
    textOfSwap: 'Its details and photos are copied; its source is a trade-in.',
    plate: 'Plate',
    price: 'Asking price',
    done: 'The car was added to your stock',
    photosLeft: (n: number) => `${n} photos could not be copied; add them on the page of the car.`,
    markSold: 'Mark as sold',
    soldTitle: 'Mark the car as sold?',
    soldText: (amount: string) =>
      `The car is marked as sold for ${amount}, its listing is closed and the agreement is completed.`,
    soldTextOfSwap:
      'Your car is marked as sold and its listing is closed. The swap is complete when the other dealer has done the same.',
    sold: 'The car was marked as sold',
  },
});
