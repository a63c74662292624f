// The condition of a car's body in the form: a drawing of its parts, and the amount of insurance claims.
import type { BodyPart } from '../../../../src/domain/stock/stock-states.ts';
import { useCurrencies } from '../../currencies.ts';
import { useTexts } from '../../language.ts';
import { FormSection } from '../../parts/form/form.tsx';
import type { FieldsOf } from '../../parts/form/form-fields.tsx';
import { Checkbox } from '../../parts/input/choices.tsx';
import { problemOf } from '../../parts/input/error-summary.tsx';
import { Field, Select, TextInput } from '../../parts/input/field.tsx';
import { CarOutline, PartsList } from '../../records/vehicles/car-outline.tsx';
import type { PartState } from '../../records/vehicles/part-states.ts';
import { conditionTexts } from './condition-texts.ts';
import { type TypedCondition, UNTOUCHED, withPart } from './condition-values.ts';
import type { VehicleForm } from './form-values.ts';

interface PartProps {
  readonly of: FieldsOf<VehicleForm>;
}

export function ConditionFields({ of }: PartProps) {
  const t = useTexts(conditionTexts);
  const { form } = of;
  const { condition } = form.values;
  const disabled = of.locked?.('condition') ?? false;
  return (
    <FormSection title={t.title}>
      <div className="col-span-full">
        <Checkbox
          id="condition"
          label={t.isStated}
          hint={t.isStatedHint}
          checked={condition !== null}
          disabled={disabled}
          onChange={(isStated) => form.set('condition', isStated ? UNTOUCHED : null)}
        />
      </div>
      {condition !== null && <Parts of={of} condition={condition} disabled={disabled} />}
      {condition !== null && <Claims of={of} condition={condition} disabled={disabled} />}
    </FormSection>
  );
}

interface StatedProps extends PartProps {
  readonly condition: TypedCondition;
  readonly disabled: boolean;
}

function Parts({ of, condition, disabled }: StatedProps) {
  const t = useTexts(conditionTexts);
  const error = ['condition.painted', 'condition.locally_painted', 'condition.replaced']
    .map((name) => problemOf(of.error, name, t.title))
    .find((one) => one !== undefined);
  const change = (part: BodyPart, state: PartState) => of.form.set('condition', withPart(condition, part, state));
  return (
    <fieldset className="col-span-full m-0 border-0 p-0">
      <legend className="mb-2 p-0 text-13 text-text-2">{t.partsHint}</legend>
      <div className="grid grid-cols-1 items-center gap-x-8 gap-y-4 sm:grid-cols-2">
        <CarOutline parts={condition} {...(disabled ? {} : { onChange: change })} />
        <div aria-live="polite">
          <PartsList parts={condition} all />
        </div>
      </div>
      {error && <p className="mt-1 mb-0 text-12 font-medium text-danger">{error}</p>}
    </fieldset>
  );
}

function Claims({ of, condition, disabled }: StatedProps) {
  const t = useTexts(conditionTexts);
  const set = (part: Partial<TypedCondition>) => of.form.set('condition', { ...condition, ...part });
  const amount = 'condition.tramer_amount';
  return (
    <>
      <Field id={amount} label={t.tramer} hint={t.tramerHint} optional error={problemOf(of.error, amount, t.tramer)}>
        <TextInput
          inputMode="decimal"
          autoComplete="off"
          className="tabular"
          value={condition.tramer_amount}
          disabled={disabled}
          onChange={(tramer_amount) => set({ tramer_amount })}
        />
      </Field>
      <Field id="condition.tramer_currency" label={t.tramerCurrency}>
        <Select
          value={condition.tramer_currency}
          options={useCurrencies()}
          disabled={disabled}
          onChange={(tramer_currency) => set({ tramer_currency })}
        />
      </Field>
    </>
  );
}
