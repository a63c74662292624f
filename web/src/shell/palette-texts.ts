import { texts } from '../language.ts';

export const paletteTexts = texts({
  tr: {
    paletteHint: 'Ekran, işlem, satış no, plaka, müşteri…',
    paletteEmpty: 'Eşleşen bir şey yok.',
    paletteBusy: 'Aranıyor…',
    paletteCollect: 'Kimden tahsil edilecek',
    paletteCollectHint: 'Satış no, plaka ya da müşteri…',
    act: 'İşlem',
    acts: {
      sell: 'Sat',
      collect: 'Tahsil et',
      today: 'Bugün tahsil edilecekler',
      aging: 'Yaşlandırma',
      till: 'Kasa kapanışı',
      newVehicle: 'Yeni araç',
      newCustomer: 'Yeni müşteri',
    },
  },
  en: {
    paletteHint: 'Screen, action, sale number, plate, customer…',
    paletteEmpty: 'Nothing matches.',
    paletteBusy: 'Searching…',
    paletteCollect: 'Whose money is collected',
    paletteCollectHint: 'Sale number, plate or customer…',
    act: 'Action',
    acts: {
      sell: 'Sell',
      collect: 'Collect',
      today: 'To collect today',
      aging: 'Ageing',
      till: 'Close the till',
      newVehicle: 'New vehicle',
      newCustomer: 'New customer',
    },
  },
});
