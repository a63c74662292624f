// The fields of a person: shared by customers and their guarantors.
import { ApiError } from '../api.ts';
import { useTexts } from '../language.ts';
import { KeptSection } from '../parts/form/form.tsx';
import { ClearKept, type FieldsOf, LinesField, TextField } from '../parts/form/form-fields.tsx';
import type { FormValues } from '../parts/form/form-state.ts';
import { useNow } from '../parts/values.tsx';
import { customerTexts } from './customer-texts.ts';

/** The labels of fields, which replace the server's field names in messages. */
export function usePersonNames(): Readonly<Record<string, string>> {
  return useTexts(customerTexts).names;
}

interface PartProps<V extends FormValues> {
  readonly of: FieldsOf<V>;
  readonly isNew: boolean;
}

type Reached = FormValues & Readonly<Record<'first_name' | 'last_name' | 'phone' | 'email', string>>;

export function ContactFields<V extends Reached>({ of, isNew }: PartProps<V>) {
  const t = useTexts(customerTexts);
  return (
    <>
      <TextField of={of} name="first_name" maxLength={80} autoFocus={isNew} />
      <TextField of={of} name="last_name" maxLength={80} />
      <TextField of={of} name="phone" type="tel" maxLength={40} hint={t.phoneHint} />
      <TextField of={of} name="email" type="email" maxLength={254} optional />
    </>
  );
}

export function PersonalFields<V extends FormValues>({ of, isNew, kept }: PartProps<V> & { readonly kept: readonly string[] }) {
  const t = useTexts(customerTexts);
  const today = new Date(useNow(false)).toISOString().slice(0, 10);
  const told = of.error instanceof ApiError ? of.error : null;
  const isOpen = kept.some((name) => of.form.values[name] !== '' || told?.of(name) !== undefined);
  const clear = (name: string) => !isNew && <ClearKept of={of} name={name} />;
  return (
    <KeptSection isNew={isNew} isOpen={isOpen} holds={kept.map((name) => of.names[name] ?? name)}>
      <div>
        <TextField of={of} name="id_no" maxLength={30} optional />
        {clear('id_no')}
      </div>
      {kept.includes('tax_no') && (
        <div>
          <TextField of={of} name="tax_no" maxLength={30} optional />
          {clear('tax_no')}
        </div>
      )}
      {kept.includes('birth_date') && (
        <div>
          <TextField of={of} name="birth_date" type="date" max={today} optional />
          {clear('birth_date')}
        </div>
      )}
      <div>
        <TextField of={of} name="monthly_income" inputMode="decimal" optional hint={t.incomeHint} />
        {clear('monthly_income')}
      </div>
      <div className="col-span-full">
        <LinesField of={of} name="address" rows={2} maxLength={500} optional />
        {clear('address')}
      </div>
    </KeptSection>
  );
}
