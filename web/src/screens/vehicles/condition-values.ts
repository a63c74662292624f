// The condition of a car's body as the form holds it, and as the API takes it.
import { BODY_PARTS, type BodyPart } from '../../../../src/domain/stock/stock-states.ts';
import type { VehicleDetail } from '../../../../src/domain/stock/vehicle-view.ts';
import type { RawBody } from '../../endpoints.ts';
import { amountToSend } from '../../parts/form/form-amount.ts';
import { filled } from '../../parts/form/form-body.ts';
import { type PartState, stateOf } from '../../records/vehicles/part-states.ts';

/** As it is typed: amount and currency may be empty. */
export interface TypedCondition {
  readonly painted: readonly BodyPart[];
  readonly locally_painted: readonly BodyPart[];
  readonly replaced: readonly BodyPart[];
  readonly tramer_amount: string;
  readonly tramer_currency: string;
  readonly expertise_document_id: string | null;
}

export const UNTOUCHED: TypedCondition = {
  painted: [],
  locally_painted: [],
  replaced: [],
  tramer_amount: '',
  tramer_currency: 'TL',
  expertise_document_id: null,
};

/** Null where nothing is stated. */
export function typedCondition(condition: VehicleDetail['condition']): TypedCondition | null {
  if (condition === null) return null;
  const { painted, locally_painted, replaced, tramer_amount, tramer_currency, expertise_document_id } = condition;
  return {
    painted,
    locally_painted,
    replaced,
    tramer_amount: tramer_amount?.replace(/\.00$/, '') ?? '',
    tramer_currency: tramer_currency ?? 'TL',
    expertise_document_id,
  };
}

export function withPart(condition: TypedCondition, part: BodyPart, state: PartState): TypedCondition {
  const parts = (which: PartState) =>
    BODY_PARTS.filter((one) => (one === part ? state === which : stateOf(condition, one) === which));
  return { ...condition, painted: parts('painted'), locally_painted: parts('locally_painted'), replaced: parts('replaced') };
}

type SentCondition = RawBody<'POST v1/vehicles'>['condition'];

export function conditionToSend(condition: TypedCondition | null): Exclude<SentCondition, undefined> {
  if (condition === null) return null;
  const { painted, locally_painted, replaced, tramer_amount, tramer_currency, expertise_document_id } = condition;
  const amount = filled(tramer_amount, amountToSend);
  return {
    painted,
    locally_painted,
    replaced,
    tramer_amount: amount,
    tramer_currency: amount === undefined ? undefined : tramer_currency,
    expertise_document_id,
  };
}
