// The condition of a car's body: painted and replaced parts, the cost of its accidents, and the inspection report.
import { formatMoney } from '../../kit/money.ts';
import { arrayOf, currency, jsonText, nullable as maybe, money, type Of, object, oneOf, uuid } from '../../kit/schema.ts';
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
import { BODY_PARTS } from './stock-states.ts';

/** Null means not stated; empty lists mean that no part was. */
export const VehicleCondition = jsonText(
  object({
    painted: arrayOf(oneOf(BODY_PARTS)),
    replaced: arrayOf(oneOf(BODY_PARTS)),
    tramer_amount: maybe(money()),
    tramer_currency: maybe(currency()),
    expertise_document_id: maybe(uuid()),
  }),
);
export type VehicleCondition = Of<typeof VehicleCondition>;

const partsField = listField(oneOfField(BODY_PARTS), BODY_PARTS.length);

const PARTS = objectField({
  painted: partsField,
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
    const { painted = [], replaced = [], tramer_amount = null, tramer_currency = null, expertise_document_id = null } = parts;
    if (new Set(painted).size < painted.length) return new Refused('duplicate', EACH_ONCE, 'painted');
    if (new Set([...painted, ...replaced]).size < painted.length + replaced.length)
      return new Refused('duplicate', EACH_ONCE, 'replaced');
    if (tramer_amount === null && tramer_currency !== null) return new Refused('required', WITH_CURRENCY, 'tramer_amount');
    return {
      painted: inOrder(painted),
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

type Part = (typeof BODY_PARTS)[number];
const inOrder = (parts: readonly Part[]): Part[] => BODY_PARTS.filter((part) => parts.includes(part));

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
