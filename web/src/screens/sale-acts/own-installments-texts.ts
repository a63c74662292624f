import { texts } from '../../language.ts';

export const ownInstallmentsTexts = texts({
  tr: {
    rows: 'Plan satırları',
    rowNo: (n: number) => `${n}. satır`,
    due: 'Vade',
    amount: 'Tutar',
    kind: 'Tür',
    addRow: 'Satır ekle',
    removeRow: (n: number) => `${n}. satırı sil`,
    missing: (amount: string) => `Dağıtılacak ${amount} kaldı`,
    tooMuch: (amount: string) => `${amount} fazla dağıtıldı`,
    even: 'Plan tam tutuyor',
    putRest: 'Kalanı son satıra yaz',
  },
  en: {
    rows: 'Rows of the plan',
    rowNo: (n: number) => `Row ${n}`,
    due: 'Due',
    amount: 'Amount',
    kind: 'Kind',
    addRow: 'Add a row',
    removeRow: (n: number) => `Remove row ${n}`,
    missing: (amount: string) => `${amount} left to spread`,
    tooMuch: (amount: string) => `${amount} too much`,
    even: 'The plan adds up',
    putRest: 'Put the rest in the last row',
  },
});
