import { plural, texts } from '../../language.ts';

export const papersTexts = texts({
  tr: {
    papers: 'Evrak',
    missing: (n: number) => `${n} evrak eksik`,
    complete: 'Gereken evrak tamam',
    isMissing: 'Oluşturulmadı',
    version: (n: number) => `${n}. sürüm`,
    notes: 'Senetler',
    notesNone: (open: number) => `Senet düzenlenmedi, ${open} taksit açık`,
    notesSome: (live: number, printed: number) => `${live} senet, ${printed} tanesi basıldı`,
    notesWithout: (n: number) => `${n} açık taksit senetsiz`,
    allNotes: 'Senet defterinde aç',
    others: 'Diğer belgeler',
  },
  en: {
    papers: 'Papers',
    missing: (n: number) => `${plural(n, 'paper', 'papers')} missing`,
    complete: 'All papers it needs are there',
    isMissing: 'Not generated',
    version: (n: number) => `Version ${n}`,
    notes: 'Promissory notes',
    notesNone: (open: number) => `No notes written, ${plural(open, 'installment', 'installments')} open`,
    notesSome: (live: number, printed: number) => `${plural(live, 'note', 'notes')}, ${printed} printed`,
    notesWithout: (n: number) => `${plural(n, 'open installment', 'open installments')} without a note`,
    allNotes: 'Open in the register',
    others: 'Other documents',
  },
});
