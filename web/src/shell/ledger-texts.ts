import { texts } from '../language.ts';

export const ledgerTexts = texts({
  tr: {
    wrong: 'Cüzdanların muhasebe defteri denk değil. Nedenini bulmadan yükleme onaylamayın.',
    see: 'Farkları gör',
  },
  en: {
    wrong: 'The books of the wallets do not agree. Approve no top-up before the reason is known.',
    see: 'See the differences',
  },
});
