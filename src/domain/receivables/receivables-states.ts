// The lanes of the board and what its cards are sorted by. The panel in the browser imports them too.
export const BOARD_LANES = ['overdue', 'due_today', 'promised_today', 'collected_today'] as const;
export type BoardLaneName = (typeof BOARD_LANES)[number];

/** The oldest debt, the largest amount, or the customer who was not contacted for longest first. */
export const BOARD_SORTS = ['delay', 'amount', 'contact'] as const;
export type BoardSort = (typeof BOARD_SORTS)[number];
