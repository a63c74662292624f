// The papers with a dealer's own clauses. A promissory note has none, because additional words could make it invalid as a bill.
// The panel in the browser imports it too.

// biome-ignore format: one list, in the order of a sale
export const CLAUSE_CODES = [
  'satis_sozlesmesi', 'odeme_plani', 'kefaletname', 'teslim_tutanagi', 'kvkk_aydinlatma', 'ibraname', 'makbuz', 'kapora_makbuzu',
  'iade_makbuzu', 'hesap_ekstresi', 'ihtar_mektubu', 'senet_bordrosu', 'kasa_kapanisi',
] as const;
export type ClauseCode = (typeof CLAUSE_CODES)[number];

export const MAX_CLAUSES = 4000;
