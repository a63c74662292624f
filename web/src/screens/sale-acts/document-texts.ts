import { texts } from '../../language.ts';

export const documentActsTexts = texts({
  tr: {
    generate: 'Oluştur',
    generateAgain: 'Yeniden oluştur',
    generateTitle: (name: string) => `${name} oluştur`,
    generateText: 'Satıştaki bilgilerle doldurulur ve taslak olarak saklanır; önceki taslak iptal edilir.',
    note: 'Belgeye eklenecek not',
    generated: (name: string) => `${name} hazır`,
    open: 'Aç',
    openOf: (name: string) => `Aç: ${name}`,
  },
  en: {
    generate: 'Generate',
    generateAgain: 'Generate again',
    generateTitle: (name: string) => `Generate: ${name}`,
    generateText: 'It is filled from the sale and kept as a draft; the draft before it is voided.',
    note: 'Remark to be printed on it',
    generated: (name: string) => `Ready: ${name}`,
    open: 'Open',
    openOf: (name: string) => `Open: ${name}`,
  },
});
