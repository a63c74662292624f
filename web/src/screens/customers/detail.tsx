// One customer: contact, balances, activity. Sensitive personal data is stored but never shown.
import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { CustomerDetail } from '../../../../src/resources/customers.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { useListBehind } from '../../list-state.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { type Fact, Facts } from '../../parts/page/facts.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { BackLink, RecordGone, RecordSkeleton } from '../../parts/page/record.tsx';
import { TabLink, TabLinks } from '../../parts/page/tabs.tsx';
import { DateTime, Day } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { Email, Phone, RiskBadge } from '../../records/customers/contact.tsx';
import { customerTexts } from '../../records/customers/customer-texts.ts';
import { customerQuery, fullName, personName } from '../../records/customers/customers.ts';
import { Reveal } from '../../records/customers/reveal.tsx';
import { useFormat } from '../../session.ts';
import { RecordTasks } from '../tasks/record-tasks.tsx';
import { Activity } from './activity.tsx';
import { CustomerActs } from './acts.tsx';
import { DebtCard, isDebtor } from './debt.tsx';
import { customerMoneyTexts } from './money-texts.ts';
import { customersTexts } from './texts.ts';

const Guarantors = lazy(async () => ({ default: (await import('./guarantors.tsx')).Guarantors }));
const CustomerPageCard = lazy(async () => ({ default: (await import('./page-card.tsx')).CustomerPageCard }));
const CustomerPapers = lazy(async () => ({ default: (await import('./papers.tsx')).CustomerPapers }));

export function CustomerScreen() {
  const t = useTexts(customersTexts);
  const { customerId } = useParams({ from: '/shell/musteriler/$customerId' });
  const customer = useQuery(customerQuery(customerId));
  if (customer.isPending) return <RecordSkeleton cards={{ contact: 'h-20', money: 'h-20', note: 'h-20', record: 'h-20' }} />;
  if (customer.isError)
    return (
      <RecordGone
        error={customer.error}
        onRetry={customer.refetch}
        back={<ToCustomers />}
        title={t.title}
        texts={t}
        list="/musteriler"
      />
    );
  return <CustomerFrame customer={customer.data} />;
}

function ToCustomers() {
  const t = useTexts(customersTexts);
  return (
    <BackLink to="/musteriler" search={useListBehind()}>
      {t.back}
    </BackLink>
  );
}

/** The heading of every page of a customer; a person who may not see sales has the first page only. */
function CustomerFrame({ customer }: { readonly customer: CustomerDetail }) {
  const m = useTexts(customerMoneyTexts);
  const seesSales = useMay('sales:read');
  const params = { customerId: customer.id };
  const list = useListBehind();
  return (
    <>
      <PageHeader title={fullName(customer)} above={<ToCustomers />} actions={<CustomerActs customer={customer} />} />
      {seesSales && <DebtCard customer={customer} />}
      {seesSales && (
        <TabLinks label={m.tabs}>
          <TabLink to="/musteriler/$customerId" params={params} state={{ list }} activeOptions={{ exact: true }}>
            {m.general}
          </TabLink>
          <TabLink to="/musteriler/$customerId/satislar" params={params} state={{ list }}>
            {m.sales}
          </TabLink>
          <TabLink to="/musteriler/$customerId/ekstre" params={params} state={{ list }}>
            {m.statement}
          </TabLink>
          <TabLink to="/musteriler/$customerId/tahsilatlar" params={params} state={{ list }}>
            {m.collections}
          </TabLink>
        </TabLinks>
      )}
      <Outlet />
    </>
  );
}

export function CustomerFacts() {
  const { customerId } = useParams({ from: '/shell/musteriler/$customerId/' });
  const { data } = useQuery(customerQuery(customerId));
  return data === undefined ? null : <Everything customer={data} />;
}

function Everything({ customer }: { readonly customer: CustomerDetail }) {
  const t = useTexts(customersTexts);
  // Developers may see customers but not their guarantors.
  const seesGuarantors = useMay('guarantors:read');
  const sendsPages = useMay('documents:write');
  return (
    <>
      {/* On a phone the activities follow the contact data; on a wide screen they have their own column. */}
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2 lg:grid-rows-[auto_auto_auto_auto_auto_auto_auto_auto_1fr] lg:*:col-start-1">
        <Facts
          title={t.contact}
          facts={[
            { name: t.phone, value: <Phone phone={customer.phone} /> },
            { name: t.email, value: <Email email={customer.email} /> },
            { name: t.risk, value: <RiskBadge level={customer.risk_level} /> },
          ]}
        />
        <Facts title={t.identity} facts={useIdentity(customer)} />
        <CustomerSecretFacts customer={customer} />
        <div className="min-w-0 lg:col-start-2! lg:row-span-9 lg:row-start-1">
          <Activity customerId={customer.id} />
        </div>
        <section className="card p-4" aria-label={t.note}>
          <h2 className="m-0 mb-2 text-14 font-semibold">{t.note}</h2>
          <p className={`m-0 whitespace-pre-line wrap-anywhere ${customer.note === null ? 'text-text-2' : ''}`}>
            {customer.note ?? t.noNote}
          </p>
        </section>
        <RecordTasks of={{ customer_id: customer.id }} />
        <Facts title={t.money} facts={[{ name: t.openSales, value: customer.open_sale_count }]}>
          {!isDebtor(customer) && <p className="mt-2 mb-0 text-text-2">{t.noDebt}</p>}
          <Suspense fallback={null}>
            <CustomerPapers customer={customer} />
          </Suspense>
        </Facts>
        <Suspense fallback={null}>{sendsPages && <CustomerPageCard customer={customer} />}</Suspense>
        <Suspense fallback={null}>{seesGuarantors && <Guarantors customerId={customer.id} />}</Suspense>
        <Facts title={t.record} facts={useRecord(customer)} />
      </div>
    </>
  );
}

/** Kept from keys and lists, shown here to owner and finance. */
function CustomerSecretFacts({ customer }: { readonly customer: CustomerDetail }) {
  const t = useTexts(customersTexts);
  const { names } = useTexts(customerTexts);
  const format = useFormat();
  const company = customer.kind === 'Kurumsal';
  return (
    <Reveal
      title={t.personal}
      names={[company ? names.tax_no : names.id_no, names.address, names.monthly_income, names.birth_date]}
      kept={t.kept}
      ask={() => call('POST customers/{customer_id}/reveal', { params: { customer_id: customer.id } })}
      facts={(found) => [
        { name: names.id_no, value: found.id_no && <span className="code">{found.id_no}</span> },
        ...(company ? [{ name: names.tax_no, value: found.tax_no && <span className="code">{found.tax_no}</span> }] : []),
        { name: names.address, value: found.address && <span className="whitespace-pre-line">{found.address}</span> },
        { name: names.monthly_income, value: found.monthly_income && format.amount(found.monthly_income) },
        { name: names.birth_date, value: found.birth_date && <Day day={found.birth_date} /> },
      ]}
    />
  );
}

/** Whether they are a company, and what the law and they themselves want. */
function useIdentity({ kind, company_name, tax_office, notice_given_on, reminder_opt_out, ...person }: CustomerDetail): Fact[] {
  const t = useTexts(customersTexts);
  const { names, kinds } = useTexts(customerTexts);
  const company = [
    { name: names.company_name, value: company_name },
    { name: names.tax_office, value: tax_office },
    { name: t.contactPerson, value: personName(person) },
  ];
  return [
    { name: names.kind, value: kinds[kind] },
    ...(kind === 'Kurumsal' ? company : []),
    { name: names.notice_given_on, value: notice_given_on && <Day day={notice_given_on} /> },
    { name: t.reminders, value: reminder_opt_out ? t.remindersOff : t.remindersOn },
  ];
}

function useRecord(customer: CustomerDetail): Fact[] {
  const t = useTexts(customersTexts);
  return [
    {
      name: t.id,
      value: <CopyButton text={customer.id} label={t.copyId} look="quiet" />,
    },
    { name: t.createdAt, value: <DateTime at={customer.created_at} /> },
    { name: t.updatedAt, value: <DateTime at={customer.updated_at} /> },
  ];
}
