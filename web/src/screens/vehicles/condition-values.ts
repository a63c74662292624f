// The condition of a car's body as one text of the form, and as the API takes it.
import { BODY_PARTS, type BodyPart } from '../../../../src/domain/stock/stock-states.ts';
import type { VehicleDetail } from '../../../../src/domain/stock/vehicle-view.ts';
import { amountToSend } from '../../parts/form/form-amount.ts';

/** As it is typed: amount and currency may be empty. */
export interface TypedCondition {
  readonly painted: readonly BodyPart[];
  readonly replaced: readonly BodyPart[];
  readonly tramer_amount: string;
  readonly tramer_currency: string;
  readonly expertise_document_id: string | null;
}

export type PartState = 'original' | 'painted' | 'replaced';

const UNTOUCHED: TypedCondition = {
  ...{ painted: [], replaced: [], tramer_amount: '', tramer_currency: 'TL' },
  expertise_document_id: null,
};

/** Empty where nothing is stated. */
export function conditionText(condition: VehicleDetail['condition']): string {
  if (condition === null) return '';
  const { painted, replaced, tramer_amount, tramer_currency, expertise_document_id } = condition;
  return JSON.stringify({
    ...{ painted, replaced, tramer_amount: tramer_amount?.replace(/\.00$/, '') ?? '', tramer_currency: tramer_currency ?? 'TL' },
    expertise_document_id,
  });
}

export const readCondition = (text: string): TypedCondition | null => (text === '' ? null : (JSON.parse(text) as TypedCondition));

export const stated = (isStated: boolean): string => (isStated ? JSON.stringify(UNTOUCHED) : '');

export const stateOf = ({ painted, replaced }: TypedCondition, part: BodyPart): PartState =>
  replaced.includes(part) ? 'replaced' : painted.includes(part) ? 'painted' : 'original';

export function withPart(condition: TypedCondition, part: BodyPart, state: PartState): string {
  const parts = (which: PartState) =>
    BODY_PARTS.filter((one) => (one === part ? state === which : stateOf(condition, one) === which));
  return JSON.stringify({ ...condition, painted: parts('painted'), replaced: parts('replaced') });
}

export const withAmount = (condition: TypedCondition, given: Partial<TypedCondition>): string =>
  JSON.stringify({ ...condition, ...given });

export function conditionToSend(text: string): unknown {
  const condition = readCondition(text);
  if (condition === null) return null;
  const { tramer_amount, tramer_currency, ...rest } = condition;
  const isGiven = tramer_amount.trim() !== '';
  return { ...rest, ...(isGiven ? { tramer_amount: amountToSend(tramer_amount), tramer_currency } : {}) };
}
