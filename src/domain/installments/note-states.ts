// The statuses of a promissory note and its transitions. The panel in the browser imports it too.

export const NOTE_STATUSES = [
  'Portföyde',
  'Bankada',
  'Teminatta',
  'Devredildi',
  'Protestolu',
  'Avukatta',
  'Tahsil Edildi',
  'İade Edildi',
  'İptal',
] as const;
export type NoteStatus = (typeof NOTE_STATUSES)[number];

/**
 * By hand. A note is paid with its installment, and it is cancelled with its sale from further statuses
 * (sales/note-reactions.ts).
 */
const MOVES: Readonly<Record<NoteStatus, readonly NoteStatus[]>> = {
  Portföyde: ['Bankada', 'Teminatta', 'Devredildi', 'Avukatta', 'Protestolu', 'İptal'],
  Bankada: ['Portföyde', 'Avukatta', 'Protestolu', 'İptal'],
  Teminatta: ['Portföyde'],
  Devredildi: ['Portföyde', 'Protestolu'],
  Protestolu: ['Avukatta', 'İptal'],
  Avukatta: ['Portföyde', 'İptal'],
  'Tahsil Edildi': ['İade Edildi'],
  'İade Edildi': [],
  İptal: [],
};

export const movesFrom = (status: NoteStatus): readonly NoteStatus[] => MOVES[status];
export const mayMoveNote = (from: NoteStatus, to: NoteStatus): boolean => MOVES[from].includes(to);

/** Properties of a note besides the status. */
export const NOTE_FACTS = {
  Bankada: 'bank_name',
  Teminatta: 'bank_name',
  Devredildi: 'transferred_to',
  Avukatta: 'lawyer',
  Protestolu: 'protest_date',
  'İade Edildi': 'returned_on',
} as const satisfies Partial<Record<NoteStatus, string>>;
export type NoteFact = (typeof NOTE_FACTS)[keyof typeof NOTE_FACTS];

export const factOf = (status: NoteStatus): NoteFact | null =>
  status in NOTE_FACTS ? NOTE_FACTS[status as keyof typeof NOTE_FACTS] : null;

/** The paper note is in circulation: neither cancelled nor returned. */
export const isLive = (status: NoteStatus): boolean => status !== 'İptal' && status !== 'İade Edildi';

/** Not paid yet, in anyone's possession. */
export const OPEN_NOTE_STATUSES = ['Portföyde', 'Bankada', 'Teminatta', 'Devredildi', 'Protestolu', 'Avukatta'] as const;

/** The payment belongs to the holder of the paper note, not to the dealer. */
export const isElsewhere = (status: NoteStatus): boolean => status === 'Devredildi' || status === 'Teminatta';
