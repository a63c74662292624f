// The fixed values of expenses and transfers of cash. The panel in the browser imports them too.
export const EXPENSE_KINDS = ['Araç', 'İşletme'] as const;
export type ExpenseKind = (typeof EXPENSE_KINDS)[number];

/** Pays the purchase price, so it is no further cost of the car. */
export const PURCHASE_PAYMENT = 'Alış ödemesi';

export const VEHICLE_CATEGORIES = [
  PURCHASE_PAYMENT,
  'Takas farkı',
  'Onarım',
  'Boya',
  'Gümrük',
  'Ruhsat/koçan',
  'Nakliye',
  'Ekspertiz',
  'Diğer',
] as const;
export const BUSINESS_CATEGORIES = ['Kira', 'Maaş', 'Yakıt', 'Vergi/SGK', 'İlan/reklam', 'Muhasebe', 'Diğer'] as const;

/** «Diğer» is a category of both kinds. */
export const EXPENSE_CATEGORIES = [
  ...VEHICLE_CATEGORIES,
  'Kira',
  'Maaş',
  'Yakıt',
  'Vergi/SGK',
  'İlan/reklam',
  'Muhasebe',
] as const;
export type ExpenseCategory = (typeof EXPENSE_CATEGORIES)[number];

export const CATEGORIES_OF: Readonly<Record<ExpenseKind, readonly ExpenseCategory[]>> = {
  Araç: VEHICLE_CATEGORIES,
  İşletme: BUSINESS_CATEGORIES,
};

export const EXPENSE_METHODS = ['Nakit', 'Havale/EFT', 'Kredi Kartı', 'Çek'] as const;
export type ExpenseMethod = (typeof EXPENSE_METHODS)[number];

/** Only cash leaves the till. */
export const CASH = 'Nakit';

/** Where cash is: in a branch's till, in the bank or in the safe. */
export const CASH_PLACES = ['Kasa', 'Banka', 'Çelik kasa'] as const;
export type CashPlace = (typeof CASH_PLACES)[number];
export const TILL_PLACE = 'Kasa';
