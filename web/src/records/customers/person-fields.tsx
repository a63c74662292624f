// The fields of a person: shared by customers and their guarantors.
import { ApiError } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { KeptSection } from '../../parts/form/form.tsx';
import type { KeptValues } from '../../parts/form/form-body.ts';
import { ClearKept, type FieldsOf, LinesField, TextField } from '../../parts/form/form-fields.tsx';
import { useNow } from '../../parts/values.tsx';
import { SandboxRule } from '../sandbox/sandbox-rule.tsx';
import { customerTexts } from './customer-texts.ts';
import { type ContactForm, CUSTOMER_KEPT, GUARANTOR_KEPT } from './person-values.ts';

/** The labels of fields, which replace the server's field names in messages. */
export function usePersonNames(): Readonly<Record<string, string>> {
  return useTexts(customerTexts).names;
}

interface ContactProps {
  readonly of: FieldsOf<ContactForm>;
  readonly isNew: boolean;
}

export function ContactFields({ of, isNew }: ContactProps) {
  const t = useTexts(customerTexts);
  return (
    <>
      <TextField of={of} name="first_name" maxLength={80} autoFocus={isNew} />
      <TextField of={of} name="last_name" maxLength={80} />
      <TextField of={of} name="phone" type="tel" maxLength={40} hint={t.phoneHint} />
      <TextField of={of} name="email" type="email" maxLength={254} optional />
      <SandboxRule
        endpoint="POST sale-documents/{document_id}/send"
        field="recipients[].email"
        value={of.form.values.email || of.form.values.phone.replace(/\D/g, '')}
      />
    </>
  );
}

interface PersonalProps {
  readonly of: FieldsOf<KeptValues<GuarantorKept>>;
  readonly isNew: boolean;
  /** The same form, where it is a customer's: it has more fields. */
  readonly customer?: FieldsOf<KeptValues<CustomerKept>>;
}

type GuarantorKept = (typeof GUARANTOR_KEPT)[number];
type CustomerKept = (typeof CUSTOMER_KEPT)[number];

export function PersonalFields({ of, isNew, customer }: PersonalProps) {
  const t = useTexts(customerTexts);
  const today = new Date(useNow(false)).toISOString().slice(0, 10);
  const error = of.error instanceof ApiError ? of.error : null;
  const isUsed = (name: string, value: string) => value !== '' || error?.of(name) !== undefined;
  const isOpen = customer
    ? CUSTOMER_KEPT.some((name) => isUsed(name, customer.form.values[name]))
    : GUARANTOR_KEPT.some((name) => isUsed(name, of.form.values[name]));
  const clear = (name: GuarantorKept) => !isNew && <ClearKept of={of} name={name} />;
  return (
    <KeptSection
      isNew={isNew}
      isOpen={isOpen}
      holds={(customer ? CUSTOMER_KEPT : GUARANTOR_KEPT).map((name) => of.names[name] ?? name)}
    >
      <div>
        <TextField of={of} name="id_no" maxLength={30} optional />
        {clear('id_no')}
      </div>
      {customer && (
        <>
          <div>
            <TextField of={customer} name="tax_no" maxLength={30} optional />
            {!isNew && <ClearKept of={customer} name="tax_no" />}
          </div>
          <div>
            <TextField of={customer} name="birth_date" type="date" max={today} optional />
            {!isNew && <ClearKept of={customer} name="birth_date" />}
          </div>
        </>
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
