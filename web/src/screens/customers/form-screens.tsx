// The pages with a customer's form: create and edit.

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { CUSTOMER_KINDS, RISK_LEVELS } from '../../../../src/domain/customers/customer-states.ts';
import type { CustomerDetail } from '../../../../src/resources/customers.ts';
import { call, type Tagged } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { FormSection, RecordForm } from '../../parts/form/form.tsx';
import { editingQuery } from '../../parts/form/form-edit.ts';
import { CheckField, ChoiceField, type FieldsOf, LinesField, TextField } from '../../parts/form/form-fields.tsx';
import { type Form, useForm } from '../../parts/form/form-state.ts';
import { useWrite, type WriteState } from '../../parts/form/form-write.ts';
import { notify } from '../../parts/overlay/toast.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { BackLink } from '../../parts/page/record.tsx';
import { EditScreen, Forbidden, useRecordEdit } from '../../parts/page/record-screens.tsx';
import { useNow } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { customerTexts } from '../../records/customers/customer-texts.ts';
import { fullName, readCustomer, useCustomersChanged } from '../../records/customers/customers.ts';
import { ContactFields, PersonalFields, usePersonNames } from '../../records/customers/person-fields.tsx';
import { CUSTOMER_KEPT, type CustomerForm, customerBody, customerEdit } from '../../records/customers/person-values.ts';
import { customerForm } from './form-values.ts';
import { customersTexts } from './texts.ts';
import { customerWriteTexts } from './write-texts.ts';

export function NewCustomerScreen() {
  const t = useTexts(customersTexts);
  const c = useTexts(customerTexts);
  const may = useMay('customers:write');
  return (
    <>
      <PageHeader title={c.newTitle} above={<BackLink to="/musteriler">{t.back}</BackLink>} />
      {may ? <NewCustomer /> : <Forbidden list="/musteriler" toList={t.toList} />}
    </>
  );
}

function NewCustomer() {
  const c = useTexts(customerTexts);
  const navigate = useNavigate();
  const changed = useCustomersChanged();
  const form = useForm(customerForm(null), { draft: 'customer', secret: CUSTOMER_KEPT });
  const write = useWrite({
    send: (typed: RawBody<'POST v1/customers'>, headers) => call('POST v1/customers', { rawBody: typed, headers }),
    onDone: (customer) => {
      form.release();
      notify({ title: c.created(fullName(customer)) });
      void changed(customer);
      void navigate({ to: '/musteriler/$customerId', params: { customerId: customer.id }, replace: true });
    },
  });
  return (
    <CustomerFields
      form={form}
      write={write}
      isNew
      onSubmit={() => write.run(customerBody(form.values))}
      onCancel={() => navigate({ to: '/musteriler' })}
    />
  );
}

export function EditCustomerScreen() {
  const t = useTexts(customersTexts);
  const w = useTexts(customerWriteTexts);
  const may = useMay('customers:write');
  const { customerId } = useParams({ from: '/shell/musteriler/$customerId/duzenle' });
  const read = useQuery(editingQuery(['customer', customerId], (signal) => readCustomer(customerId, signal)));
  const back = (
    <BackLink to="/musteriler/$customerId" params={{ customerId }}>
      {read.data ? fullName(read.data.data) : t.back}
    </BackLink>
  );
  return (
    <EditScreen
      read={read}
      may={may}
      title={w.editTitle}
      texts={t}
      list="/musteriler"
      back={back}
      cards={{ contact: 'h-40', kept: 'h-40' }}
    >
      {(customer) => <EditCustomer began={customer} />}
    </EditScreen>
  );
}

function EditCustomer({ began }: { readonly began: Tagged<CustomerDetail> }) {
  const customer = began.data;
  const w = useTexts(customerWriteTexts);
  const navigate = useNavigate();
  const form = useForm(customerForm(customer), { draft: `customer.${customer.id}`, secret: CUSTOMER_KEPT });
  const { write, submit, back } = useRecordEdit({
    began,
    read: (signal) => readCustomer(customer.id, signal),
    send: (typed: RawBody<'PATCH v1/customers/{customer_id}'>, headers) =>
      call('PATCH v1/customers/{customer_id}', { params: { customer_id: customer.id }, rawBody: typed, headers }),
    form,
    toForm: customerForm,
    toBody: customerEdit,
    saved: w.edited,
    onSaved: useCustomersChanged(),
    leave: () => navigate({ to: '/musteriler/$customerId', params: { customerId: customer.id }, replace: true }),
  });
  return <CustomerFields form={form} write={write} isNew={false} onSubmit={submit} onCancel={back} />;
}

interface CustomerFieldsProps {
  readonly form: Form<CustomerForm>;
  readonly write: WriteState;
  readonly isNew: boolean;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
}

function CustomerFields({ form, write, isNew, onSubmit, onCancel }: CustomerFieldsProps) {
  const t = useTexts(customersTexts);
  const c = useTexts(customerTexts);
  const names = usePersonNames();
  const of: FieldsOf<CustomerForm> = { form, error: write.error, names };
  const today = new Date(useNow(false)).toISOString().slice(0, 10);
  return (
    <RecordForm
      form={form}
      names={names}
      words={{ risk_level: c.levels, kind: c.kinds }}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={onSubmit}
      onCancel={onCancel}
      {...(isNew ? { action: c.create } : {})}
    >
      <FormSection title={t.contact}>
        <KindFields of={of} />
        <ContactFields of={of} isNew={isNew} />
        <ChoiceField of={of} name="risk_level" options={RISK_LEVELS.map((value) => ({ value, label: c.levels[value] }))} />
        <TextField of={of} name="notice_given_on" type="date" max={today} optional />
        <CheckField of={of} name="reminder_opt_out" wide />
        <LinesField of={of} name="note" maxLength={2000} optional wide />
      </FormSection>
      <PersonalFields of={of} isNew={isNew} customer={of} />
    </RecordForm>
  );
}

/** A company also has a name and a tax office; the person below is then its contact. */
function KindFields({ of }: { readonly of: FieldsOf<CustomerForm> }) {
  const c = useTexts(customerTexts);
  const isCompany = of.form.values.kind === 'Kurumsal';
  return (
    <>
      <ChoiceField of={of} name="kind" wide options={CUSTOMER_KINDS.map((value) => ({ value, label: c.kinds[value] }))} />
      {isCompany && <TextField of={of} name="company_name" maxLength={200} />}
      {isCompany && <TextField of={of} name="tax_office" maxLength={80} optional />}
    </>
  );
}
