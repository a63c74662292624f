import { texts } from '../../language.ts';

export const ownInstallmentsTexts = texts({
  tr: {
    rows: 'Taksitler',
    rowNo: (n: number) => `${n}. taksit`,
    due: 'Vade',
    amount: 'Tutar',
    kind: 'Tür',
    addRow: 'Taksit ekle',
    removeRow: (n: number) => `${n}. taksiti sil`,
    missing: (amount: string) => `Dağıtılacak ${amount} kaldı`,
    tooMuch: (amount: string) => `${amount} fazla dağıtıldı`,
    even: 'Plan tam tutuyor',
    putRest: 'Kalanı son taksite ekle',
  },
  en: {
    rows: 'Installments',
    rowNo: (n: number) => `Installment ${n}`,
    due: 'Due',
    amount: 'Amount',
    kind: 'Kind',
    addRow: 'Add an installment',
    removeRow: (n: number) => `Remove installment ${n}`,
    missing: (amount: string) => `${amount} left to spread`,
    tooMuch: (amount: string) => `${amount} too much`,
    even: 'The plan adds up',
    putRest: 'Put the rest in the last installment',
  },
});
