import type { BoardCardView as BoardCard } from '../../../../src/panel/sales/receivables.ts';

export type BoardAct = 'collect' | 'promise' | 'postpone' | 'notice';

/** The installment is given where the action is about one of a card's installments. */
export type BeginBoardAct = (
  card: BoardCard,
  act: BoardAct,
  installment?: { readonly id: string; readonly name: string },
) => void;
