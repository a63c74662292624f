// The condition of a car's body: painted, locally painted and replaced parts, the cost of its accidents, and the inspection report.
import { formatMoney } from '../../kit/money.ts';
import {
  arrayOf,
  currency,
  jsonText,
  nullable as maybe,
  money,
  type Of,
  object,
  oneOf,
  optional,
  uuid,
} from '../../kit/schema.ts';
import type { Work } from '../../kit/work.ts';
import {
  currencyField,
  type Field,
  listField,
  moneyField,
  nullable,
  objectField,
  oneOfField,
  Refused,
  uuidField,
} from '../records/fields.ts';
import { requireReferences } from '../records/references.ts';
import { BODY_PARTS, type BodyPart } from './stock-states.ts';

/** Null means not stated; empty lists mean that no part was. */
export const VehicleCondition = jsonText(
  object({
    painted: arrayOf(oneOf(BODY_PARTS)),
    locally_painted: arrayOf(oneOf(BODY_PARTS)),
    replaced: arrayOf(oneOf(BODY_PARTS)),
    tramer_amount: maybe(money()),
    tramer_currency: maybe(currency()),
    expertise_document_id: maybe(uuid()),
  }),
);
export type VehicleCondition = Of<typeof VehicleCondition>;

/** As in a history: entries from before the list existed have no `locally_painted`. */
export const PastCondition = object({
  ...VehicleCondition.shape,
  locally_painted: optional(VehicleCondition.shape.locally_painted),
});

export type PastCondition = Of<typeof PastCondition>;

/** The fields in their order; a condition stored before the list existed has no `locally_painted`. */
export const wholeCondition = (stored: PastCondition): VehicleCondition => {
  const { painted, locally_painted = [], ...rest } = stored;
  return { painted, locally_painted, ...rest };
};

const partsField = listField(oneOfField(BODY_PARTS), BODY_PARTS.length);

const PARTS = objectField({
  painted: partsField,
  locally_painted: partsField,
  replaced: partsField,
  tramer_amount: nullable(moneyField()),
  tramer_currency: nullable(currencyField),
  expertise_document_id: nullable(uuidField),
});

/** Replaced as a whole by an edit. Stored as it is shown: no code computes with the amount. */
export const conditionField: Field<VehicleCondition> = {
  ...PARTS,
  read: (value, context) => {
    const parts = PARTS.read(value, context);
    if (parts instanceof Refused) return parts;
    const { painted = [], locally_painted = [], replaced = [] } = parts;
    const { tramer_amount = null, tramer_currency = null, expertise_document_id = null } = parts;
    const repeated = listWithRepetition({ painted, locally_painted, replaced });
    if (repeated !== null) return new Refused('duplicate', EACH_ONCE, repeated);
    if (tramer_amount === null && tramer_currency !== null) return new Refused('required', WITH_CURRENCY, 'tramer_amount');
    return {
      painted: inOrder(painted),
      locally_painted: inOrder(locally_painted),
      replaced: inOrder(replaced),
      tramer_amount: tramer_amount === null ? null : formatMoney(tramer_amount),
      tramer_currency: tramer_amount === null ? null : (tramer_currency ?? 'TL'),
      expertise_document_id,
    };
  },
};

const EACH_ONCE = {
  en: 'a list of parts; each part can occur once, in one list only',
  tr: 'her parçanın yalnızca bir listede, bir kez geçtiği bir liste',
};
const WITH_CURRENCY = { en: 'given with tramer_currency', tr: 'tramer_currency ile birlikte verilmiş' };

const inOrder = (parts: readonly BodyPart[]): BodyPart[] => BODY_PARTS.filter((part) => parts.includes(part));

/** The first list that names a part again. */
function listWithRepetition(lists: Readonly<Record<string, readonly BodyPart[]>>): string | null {
  const seen = new Set<BodyPart>();
  for (const [name, parts] of Object.entries(lists))
    for (const part of parts) {
      if (seen.has(part)) return name;
      seen.add(part);
    }
  return null;
}

/** An «Ekspertiz» document of this vehicle; a new vehicle has none yet. */
export const requireReport = (
  { db }: Work,
  condition: VehicleCondition | null | undefined,
  vehicleId: string | null,
): Promise<void> =>
  requireReferences(db, [
    [
      'condition.expertise_document_id',
      'documents',
      condition?.expertise_document_id,
      { kind: 'Ekspertiz', vehicle_id: vehicleId },
    ],
  ]);
