// The two pages that hold a customer's form: a new one, and one that exists.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import type { CustomerDetail } from '../../../../src/resources/customers.ts';
import { post, type Tagged } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { useMay } from '../../may.ts';
import { buttonLook } from '../../parts/button.tsx';
import { FormSection, RecordForm } from '../../parts/form/form.tsx';
import { editingQuery, useEdit } from '../../parts/form/form-edit.ts';
import { ChoiceField, type FieldsOf, LinesField } from '../../parts/form/form-fields.tsx';
import { type Form, useForm } from '../../parts/form/form-state.ts';
import { useWrite, type Write } from '../../parts/form/form-write.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { BackLink, RecordError, RecordSkeleton } from '../../parts/record.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { notify } from '../../parts/toast.tsx';
import { partsTexts } from '../../texts/parts.ts';
import { customerPath, fullName, useCustomersChanged } from './data.ts';
import { ContactFields, PersonalFields, usePersonNames } from './form.tsx';
import { CUSTOMER_KEPT, type CustomerForm, createBody, customerForm, editBody } from './form-values.ts';
import { customersTexts } from './texts.ts';
import { customerWriteTexts } from './write-texts.ts';

export function NewCustomerScreen() {
  const t = useTexts(customersTexts);
  const w = useTexts(customerWriteTexts);
  const may = useMay('customers:write');
  return (
    <>
      <PageHeader title={w.newTitle} above={<BackLink to="/musteriler">{t.back}</BackLink>} />
      {may ? <NewCustomer /> : <NotYours />}
    </>
  );
}

function NewCustomer() {
  const w = useTexts(customerWriteTexts);
  const navigate = useNavigate();
  const changed = useCustomersChanged();
  const form = useForm(customerForm(null), { draft: 'customer', secret: CUSTOMER_KEPT });
  const write = useWrite({
    send: (body: Record<string, unknown>, headers) => post<CustomerDetail>('v1/customers', body, headers),
    onDone: (customer) => {
      form.release();
      notify({ title: w.created(fullName(customer)) });
      void changed(customer);
      void navigate({ to: '/musteriler/$customerId', params: { customerId: customer.id }, replace: true });
    },
  });
  return (
    <CustomerFields
      form={form}
      write={write}
      isNew
      onSubmit={() => write.run(createBody(form.values))}
      onCancel={() => navigate({ to: '/musteriler' })}
    />
  );
}

export function EditCustomerScreen() {
  const t = useTexts(customersTexts);
  const w = useTexts(customerWriteTexts);
  const may = useMay('customers:write');
  const { customerId } = useParams({ from: '/shell/musteriler/$customerId/duzenle' });
  const read = useQuery(editingQuery<CustomerDetail>(customerPath(customerId)));
  const back = (
    <BackLink to="/musteriler/$customerId" params={{ customerId }}>
      {read.data ? fullName(read.data.data) : t.back}
    </BackLink>
  );
  if (read.isPending) return <RecordSkeleton cards={{ contact: 'h-40', kept: 'h-40' }} />;
  if (read.isError)
    return (
      <RecordError
        error={read.error}
        onRetry={read.refetch}
        back={back}
        title={w.editTitle}
        gone={{ title: t.notFound, text: t.notFoundText, action: <ToList /> }}
      />
    );
  return (
    <>
      <PageHeader title={w.editTitle} above={back} />
      {may ? <EditCustomer read={read.data} /> : <NotYours />}
    </>
  );
}

function EditCustomer({ read }: { readonly read: Tagged<CustomerDetail> }) {
  const customer = read.data;
  const w = useTexts(customerWriteTexts);
  const router = useRouter();
  const navigate = useNavigate();
  const changed = useCustomersChanged();
  const form = useForm(customerForm(customer), { draft: `customer.${customer.id}`, secret: CUSTOMER_KEPT });
  const leave = () => navigate({ to: '/musteriler/$customerId', params: { customerId: customer.id }, replace: true });
  const back = () => (router.history.canGoBack() ? router.history.back() : void leave());
  const write = useEdit({
    path: customerPath(customer.id),
    read,
    form,
    toForm: customerForm,
    onDone: (now: CustomerDetail) => {
      form.release();
      notify({ title: w.edited });
      void changed(now);
      back();
    },
  });
  const submit = () => {
    const body = editBody(form.values, form.changed);
    if (Object.keys(body).length === 0) back();
    else write.run(body);
  };
  return <CustomerFields form={form} write={write} isNew={false} onSubmit={submit} onCancel={back} />;
}

interface CustomerFieldsProps {
  readonly form: Form<CustomerForm>;
  readonly write: Write<Record<string, unknown>, CustomerDetail>;
  readonly isNew: boolean;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
}

const LEVELS = ['low', 'medium', 'high', 'blocked'] as const;

function CustomerFields({ form, write, isNew, onSubmit, onCancel }: CustomerFieldsProps) {
  const t = useTexts(customersTexts);
  const w = useTexts(customerWriteTexts);
  const names = usePersonNames();
  const of: FieldsOf<CustomerForm> = { form, error: write.error, names };
  return (
    <RecordForm
      form={form}
      names={names}
      words={{ risk_level: t.levels }}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={onSubmit}
      onCancel={onCancel}
      {...(isNew ? { action: w.create } : {})}
    >
      <FormSection title={t.contact}>
        <ContactFields of={of} isNew={isNew} />
        <ChoiceField of={of} name="risk_level" options={LEVELS.map((value) => ({ value, label: t.levels[value] }))} />
        <LinesField of={of} name="note" maxLength={2000} optional wide />
      </FormSection>
      <PersonalFields of={of} isNew={isNew} kept={CUSTOMER_KEPT} />
    </RecordForm>
  );
}

function ToList() {
  const t = useTexts(customersTexts);
  return (
    <Link to="/musteriler" className={buttonLook('secondary')}>
      {t.toList}
    </Link>
  );
}

function NotYours() {
  const p = useTexts(partsTexts);
  return (
    <div className="card">
      <EmptyState title={p.forbidden} action={<ToList />} />
    </div>
  );
}
