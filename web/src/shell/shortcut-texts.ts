import { texts } from '../language.ts';

export const shortcutTexts = texts({
  tr: {
    shortcuts: 'Klavye kısayolları',
    shortcut: {
      palette: 'Ara ya da git',
      keys: 'Bu listeyi göster',
      search: 'Listede ara',
      rows: 'Sonraki, önceki satır',
      open: 'Satırı aç',
      create: 'Yeni kayıt (araçlar, müşteriler, anahtarlar)',
      save: 'Formu kaydet',
      close: 'Kapat ya da aramayı temizle',
      board: 'Tahsilat panosu: tahsil et, söz, WhatsApp',
      tail: 'Günlük: akışı durdur, yalnızca hatalar',
    },
  },
  en: {
    shortcuts: 'Keyboard shortcuts',
    shortcut: {
      palette: 'Search or go to',
      keys: 'Show this list',
      search: 'Search the list',
      rows: 'Next, previous row',
      open: 'Open the row',
      create: 'New record (vehicles, customers, keys)',
      save: 'Save the form',
      close: 'Close, or clear the search',
      board: 'Receivables board: collect, promise, WhatsApp',
      tail: 'Log: pause the stream, errors only',
    },
  },
});
