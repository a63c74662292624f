// The technical facts and the equipment of a car in its form. All are optional.
import { DRIVES, STEERING_SIDES } from '../../../../src/domain/stock/stock-states.ts';
import { useLocale, useTexts } from '../../language.ts';
import { cx } from '../../parts/cx.ts';
import { FormSection } from '../../parts/form/form.tsx';
import { ChoiceField, type FieldsOf, LinesField, TextField } from '../../parts/form/form-fields.tsx';
import { formTexts } from '../../parts/form/form-texts.ts';
import { wireWord } from '../../records/vehicles/vehicle-texts.ts';
import { equipmentOf, type VehicleForm } from './form-values.ts';
import { vehiclesTexts } from './texts.ts';
import { vehicleWriteTexts } from './write-texts.ts';

interface PartProps {
  readonly of: FieldsOf<VehicleForm>;
}

export function FactsFields({ of }: PartProps) {
  const t = useTexts(vehiclesTexts);
  const f = useTexts(formTexts);
  const w = useTexts(vehicleWriteTexts);
  const locale = useLocale();
  const options = (values: readonly string[]) => values.map((value) => ({ value, label: wireWord(locale, value) }));
  return (
    <FormSection title={t.technical}>
      <TextField of={of} name="engine_cc" maxLength={6} inputMode="numeric" optional hint={w.engineHint} />
      <TextField of={of} name="power_hp" maxLength={5} inputMode="numeric" optional hint={w.powerHint} />
      <ChoiceField of={of} name="drive" options={options(DRIVES)} none={f.notSet} optional />
      <ChoiceField of={of} name="steering" options={options(STEERING_SIDES)} none={f.notSet} optional />
      <TextField of={of} name="doors" maxLength={1} inputMode="numeric" optional />
      <TextField of={of} name="seats" maxLength={2} inputMode="numeric" optional />
      <TextField of={of} name="owners" maxLength={2} inputMode="numeric" optional />
      <TextField of={of} name="inspection_until" type="date" optional />
      <TextField of={of} name="warranty" maxLength={200} optional />
      <Equipment of={of} />
    </FormSection>
  );
}

/** Text with commas between, and the usual equipment to press. */
function Equipment({ of }: PartProps) {
  const w = useTexts(vehicleWriteTexts);
  const locale = useLocale();
  const items = equipmentOf(of.form.values.equipment);
  const chosen = new Set(items.map((item) => item.toLocaleLowerCase('tr')));
  const isLocked = of.locked?.('equipment') ?? false;
  const toggle = (item: string) => {
    const word = item.toLocaleLowerCase('tr');
    const next = chosen.has(word) ? items.filter((one) => one.toLocaleLowerCase('tr') !== word) : [...items, item];
    of.form.set('equipment', next.join(', '));
  };
  return (
    <div className="col-span-full flex flex-col gap-2">
      <LinesField of={of} name="equipment" rows={2} maxLength={2600} optional hint={w.equipmentHint} />
      {!isLocked && (
        <fieldset className="m-0 flex flex-wrap gap-1.5 border-0 p-0">
          <legend className="sr-only">{w.equipmentUsual}</legend>
          {EQUIPMENT[locale].map((item) => {
            const isChosen = chosen.has(item.toLocaleLowerCase('tr'));
            return (
              <button
                key={item}
                type="button"
                aria-pressed={isChosen}
                onClick={() => toggle(item)}
                className={cx(
                  'min-h-7 rounded-control border px-2 text-12 pointer-coarse:min-h-11',
                  isChosen ? 'border-accent bg-accent-soft text-read' : 'border-line text-text-2 hover:border-line-strong',
                )}
              >
                {item}
              </button>
            );
          })}
        </fieldset>
      )}
    </div>
  );
}

/** The equipment that buyers ask for. */
const EQUIPMENT = {
  tr: [
    'Klima',
    'Geri görüş kamerası',
    'Park sensörü',
    'Apple CarPlay',
    'Hız sabitleyici',
    'Alüminyum jant',
    'Cam tavan',
    'Deri döşeme',
    'LED far',
    'Isıtmalı koltuk',
    'Elektrikli bagaj',
    'Anahtarsız giriş',
    'Şerit takip',
    'Kör nokta uyarısı',
    'Bluetooth',
    'ABS',
    'ESP',
  ],
  en: [
    'Air conditioning',
    'Reversing camera',
    'Parking sensors',
    'Apple CarPlay',
    'Cruise control',
    'Alloy wheels',
    'Glass roof',
    'Leather seats',
    'LED headlights',
    'Heated seats',
    'Electric tailgate',
    'Keyless entry',
    'Lane assist',
    'Blind spot warning',
    'Bluetooth',
    'ABS',
    'ESP',
  ],
} as const;
