import { texts } from '../../language.ts';

export const noticeTexts = texts({
  tr: {
    notice: 'İhtar mektubu',
    noticeText: 'Borçluya ve kefillere, geciken taksitleri ve gecikme faiziyle. Müşterinin zaman çizelgesine yazılır.',
    deadline: 'Ödeme için son gün',
    write: 'Mektubu hazırla',
    ready: 'Mektup hazır',
    readyText: (day: string) => `Ödeme için ${day} gününe kadar süre verildi.`,
    open: 'Aç ve yazdır',
    stage: 'Hukuki durumu «İhtar» yap',
    staged: 'Hukuki durum: İhtar',
    close: 'Bitti',
  },
  en: {
    notice: 'Notice letter',
    noticeText:
      'To the debtor and the guarantors, with what is overdue and its late interest. It is noted in the customer’s activity.',
    deadline: 'To be paid by',
    write: 'Prepare the letter',
    ready: 'The letter is ready',
    readyText: (day: string) => `Payment is asked for by ${day}.`,
    open: 'Open and print',
    stage: 'Set the legal stage to «Notice sent»',
    staged: 'Legal stage: notice sent',
    close: 'Done',
  },
});
