// Maps the feed's words to a field's fixed values: «Düz» is Manuel.
import { ArrowRight } from 'lucide-react';
import { useTexts } from '../../language.ts';
import { problemOf } from '../../parts/input/error-summary.tsx';
import { Field, Select } from '../../parts/input/field.tsx';
import { fieldTexts } from './field-texts.ts';
import { type OurField, specOf } from './fields.ts';
import { targetOf, withEntry } from './form-values.ts';
import { valuesToMap } from './guess-values.ts';
import { useValueWord } from './import-parts.tsx';
import type { StepProps } from './source-step.tsx';
import { importsTexts } from './texts.ts';
import type { Preview } from './wire.ts';

interface ValueMapFieldsProps {
  readonly of: StepProps['of'];
  readonly field: OurField;
  readonly column: Preview['columns'][number] | undefined;
}

export function ValueMapFields({ of, field, column }: ValueMapFieldsProps) {
  const t = useTexts(importsTexts);
  const name = useTexts(fieldTexts)[field];
  const word = useValueWord();
  const { form, error } = of;
  const target = targetOf(form.values);
  const spec = specOf(target, field);
  const all = form.values.value_map;
  const map = all[field] ?? {};
  if (spec?.kind !== 'choice') return null;
  const seen = [...new Set([...valuesToMap(target, field, column?.values ?? []), ...Object.keys(map)])];
  if (seen.length === 0) return null;
  const set = (from: string, to: string) => form.set('value_map', withEntry(all, field, withEntry(map, from, to)));
  const options = [{ value: '', label: t.noValue }, ...(spec.values ?? []).map((value) => ({ value, label: word(value) }))];
  return (
    <fieldset className="order-3 col-span-full m-0 min-w-0 rounded-control border-0 bg-subtle p-2.5">
      <legend className="sr-only">{t.values(name)}</legend>
      <div className="grid grid-cols-1 gap-x-6 gap-y-1.5 @xl:grid-cols-2">
        {seen.map((from) => {
          const fault = problemOf(error, `value_map.${field}.${from}`, name);
          return (
            <div key={from} className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1.4fr)] items-center gap-2 text-13">
              <span className="wrap-anywhere">{from}</span>
              <ArrowRight aria-hidden className="size-4 text-text-3" />
              <Field
                id={`value_map.${field}.${from}`}
                label={t.valueOf(name, from)}
                labelHidden
                {...(fault ? { error: fault } : {})}
              >
                <Select
                  value={map[from] ?? ''}
                  options={options}
                  className={map[from] ? '' : 'text-write!'}
                  onChange={(to) => set(from, to)}
                />
              </Field>
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}
