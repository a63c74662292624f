import { texts } from '../language.ts';

export const ledgerTexts = texts({
  tr: {
    wrong: 'Cüzdanların muhasebe defteri denk değil. Nedenini bulmadan yükleme onaylamayın.',
    see: 'Farkları gör',
  },
  en: {
    wrong: 'The wallet books do not balance. Do not approve top-ups until the reason is known.',
    see: 'See the differences',
  },
});
