// The form of a vehicle, for creating and editing.

import { BODY_TYPES, FUEL_TYPES, TRANSMISSIONS, VEHICLE_SOURCES } from '../../../../src/domain/stock/stock-states.ts';
import type { VehicleDetail } from '../../../../src/domain/stock/vehicle-view.ts';
import { ApiError } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { FormSection, KeptSection, RecordForm } from '../../parts/form/form.tsx';
import { amountOf } from '../../parts/form/form-amount.ts';
import { ChoiceField, ClearKept, type FieldsOf, LinesField, MoneyField, TextField } from '../../parts/form/form-fields.tsx';
import type { Form } from '../../parts/form/form-state.ts';
import { formTexts } from '../../parts/form/form-texts.ts';
import type { WriteState } from '../../parts/form/form-write.ts';
import { useBranches } from '../../records/branches.ts';
import { SandboxRule } from '../../records/sandbox/sandbox-rule.tsx';
import { wireWord } from '../../records/vehicles/vehicle-texts.ts';
import { brandsWith, modelsWith } from './car-models.ts';
import { ConditionFields } from './condition-fields.tsx';
import { useStockWords } from './data.ts';
import { FactsFields } from './facts-fields.tsx';
import { useFieldNames } from './field-names.ts';
import { isLocked, KEPT_FIELDS, type VehicleForm } from './form-values.ts';
import { vehiclesTexts } from './texts.ts';
import { vehicleWriteTexts } from './write-texts.ts';

interface VehicleFormProps {
  readonly form: Form<VehicleForm>;
  readonly write: WriteState;
  /** Null for a new vehicle. */
  readonly vehicle: VehicleDetail | null;
  readonly onSubmit: () => void;
  /** For a new vehicle: saves it and goes to its photos. */
  readonly onPhotos?: () => void;
  readonly onCancel: () => void;
}

export function VehicleFormFields({ form, write, vehicle, onSubmit, onPhotos, onCancel }: VehicleFormProps) {
  const w = useTexts(vehicleWriteTexts);
  const names = useFieldNames();
  const status = vehicle?.status ?? 'Stokta';
  const of: FieldsOf<VehicleForm> = { form, error: write.error, names, locked: (name) => isLocked(status, name) };
  return (
    <RecordForm
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={onSubmit}
      onCancel={onCancel}
      {...(vehicle === null ? { action: w.create } : {})}
      {...(onPhotos ? { also: { action: w.createThenPhotos, onSubmit: onPhotos } } : {})}
    >
      {status !== 'Stokta' && w.locked[status] && (
        <p className="m-0 rounded-card bg-write-bg px-4 py-2 text-13 text-write">{w.locked[status]}</p>
      )}
      <Identity of={of} isNew={vehicle === null} />
      <FactsFields of={of} />
      <ConditionFields of={of} />
      <Stock of={of} />
      <Kept of={of} isNew={vehicle === null} />
    </RecordForm>
  );
}

interface PartProps {
  readonly of: FieldsOf<VehicleForm>;
}

/** Upper case while typing; the server normalises the rest. */
const plateTyped = (typed: string): string => typed.toUpperCase().replaceAll('İ', 'I').replace(/\s+/g, ' ');

function Identity({ of, isNew }: PartProps & { readonly isNew: boolean }) {
  const t = useTexts(vehiclesTexts);
  const f = useTexts(formTexts);
  const w = useTexts(vehicleWriteTexts);
  const locale = useLocale();
  const words = useStockWords(of.form.values.brand.trim());
  const options = (values: readonly string[]) => values.map((value) => ({ value, label: wireWord(locale, value) }));
  return (
    <FormSection title={t.identity}>
      <TextField of={of} name="plate" maxLength={15} tidy={plateTyped} hint={w.plateHint} autoFocus={isNew} />
      <TextField of={of} name="brand" maxLength={80} suggestions={brandsWith(words?.brands ?? [])} />
      <TextField of={of} name="model" maxLength={80} suggestions={modelsWith(words?.models ?? [], of.form.values.brand)} />
      <TextField of={of} name="trim" maxLength={80} optional />
      <TextField of={of} name="model_year" maxLength={4} inputMode="numeric" />
      <TextField of={of} name="km" maxLength={12} inputMode="numeric" />
      <ChoiceField of={of} name="fuel_type" options={options(FUEL_TYPES)} {...(isNew ? { none: f.pick } : {})} />
      <ChoiceField of={of} name="transmission" options={options(TRANSMISSIONS)} {...(isNew ? { none: f.pick } : {})} />
      <ChoiceField of={of} name="body_type" options={options(BODY_TYPES)} {...(isNew ? { none: f.pick } : {})} />
      <TextField of={of} name="color" maxLength={40} />
      <MoneyField of={of} name="price" currency="currency" />
      <SandboxRule
        endpoint={isNew ? 'POST vehicles' : 'PATCH vehicles/{vehicle_id}'}
        field="price"
        value={amountOf(of.form.values.price)}
      />
      <LinesField of={of} name="description" maxLength={5000} optional wide />
    </FormSection>
  );
}

function Stock({ of }: PartProps) {
  const t = useTexts(vehiclesTexts);
  const f = useTexts(formTexts);
  const locale = useLocale();
  const branches = useBranches();
  const words = useStockWords('');
  return (
    <FormSection title={t.stock}>
      <TextField of={of} name="city" maxLength={60} suggestions={words?.cities} />
      <ChoiceField
        of={of}
        name="branch_id"
        optional
        none={f.notSet}
        options={branches.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <TextField of={of} name="stock_date" type="date" />
      <ChoiceField of={of} name="source" options={VEHICLE_SOURCES.map((value) => ({ value, label: wireWord(locale, value) }))} />
      <TextField of={of} name="external_ref" maxLength={120} optional />
    </FormSection>
  );
}

function Kept({ of, isNew }: PartProps & { readonly isNew: boolean }) {
  const w = useTexts(vehicleWriteTexts);
  const { values } = of.form;
  const refusal = of.error instanceof ApiError ? of.error : null;
  const isOpen = KEPT_FIELDS.some((name) => values[name] !== '' || refusal?.of(name) !== undefined);
  const clear = (name: (typeof KEPT_FIELDS)[number]) => !isNew && <ClearKept of={of} name={name} />;
  return (
    <KeptSection
      isNew={isNew}
      isOpen={isOpen}
      holds={KEPT_FIELDS.filter((name) => name !== 'purchase_currency').map((name) => of.names[name] ?? name)}
    >
      <div>
        <MoneyField of={of} name="purchase_price" currency="purchase_currency" none="—" optional />
        {clear('purchase_price')}
      </div>
      <div>
        <TextField of={of} name="customs_fee" inputMode="decimal" optional hint={w.costHint} />
        {clear('customs_fee')}
      </div>
      <div>
        <TextField of={of} name="other_costs" inputMode="decimal" optional hint={w.costHint} />
        {clear('other_costs')}
      </div>
      <div>
        <TextField of={of} name="chassis_no" maxLength={40} optional />
        {clear('chassis_no')}
      </div>
      <div>
        <TextField of={of} name="engine_no" maxLength={40} optional />
        {clear('engine_no')}
      </div>
    </KeptSection>
  );
}
