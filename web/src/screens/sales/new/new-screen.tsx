// «Sat»: from the car to the plan on one page; beside it the plan as the server computes it.

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError, call } from '../../../api.ts';
import type { RawBody } from '../../../endpoints.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { useDryRun } from '../../../parts/form/dry-run.ts';
import { FormSection, RecordForm } from '../../../parts/form/form.tsx';
import { withoutEmpty } from '../../../parts/form/form-body.ts';
import { ChoiceField, type FieldsOf, LinesField, MoneyField, TextField } from '../../../parts/form/form-fields.tsx';
import { type Form, useForm } from '../../../parts/form/form-state.ts';
import { useWrite } from '../../../parts/form/form-write.ts';
import { problemOf } from '../../../parts/input/error-summary.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { PageHeader } from '../../../parts/page/page-header.tsx';
import { BackLink } from '../../../parts/page/record.tsx';
import { Forbidden } from '../../../parts/page/record-screens.tsx';
import { useMay } from '../../../permissions.ts';
import { typedOf } from '../../../records/amounts.ts';
import { useBranches } from '../../../records/branches.ts';
import { CustomerPicker } from '../../../records/customers/customer-picker.tsx';
import { useSalesChanged, useToday } from '../../../records/sales/sales.ts';
import { useStaff } from '../../../records/staff.ts';
import { VehiclePicker } from '../../../records/vehicles/vehicle-picker.tsx';
import { vehicleQuery } from '../../../records/vehicles/vehicles.ts';
import { useFormat, useSession } from '../../../session.ts';
import { ownInstallmentsTexts } from '../../sale-acts/own-installments-texts.ts';
import { salesTexts } from '../texts.ts';
import { GuarantorChoice } from './new-guarantors.tsx';
import { PaymentSection } from './new-payment.tsx';
import { SalePreviewCard } from './new-preview.tsx';
import { newSaleTexts } from './new-texts.ts';
import { TradeInSection } from './new-trade-in.tsx';
import { emptySale, financedOf, isSalePreviewable, type SaleForm, saleBody } from './new-values.ts';

export function NewSaleScreen() {
  const t = useTexts(salesTexts);
  const n = useTexts(newSaleTexts);
  const may = useMay('sales:write');
  return (
    <>
      <PageHeader title={n.title} description={n.description} above={<BackLink to="/satislar">{t.back}</BackLink>} />
      {may ? <NewSale /> : <Forbidden list="/satislar" toList={t.toList} />}
    </>
  );
}

function NewSale() {
  const n = useTexts(newSaleTexts);
  const linked = useSearch({ from: '/shell/satislar/yeni' });
  const { account } = useSession();
  const router = useRouter();
  const navigate = useNavigate();
  const today = useToday();
  const changed = useSalesChanged();
  const initial = { ...emptySale({ ...linked, today }), salesperson_id: account?.member_id ?? '' };
  const form = useForm<SaleForm>(initial, { draft: `sale ${linked.vehicle_id ?? ''}` });
  useCarOf(form);
  const body = saleBody(form.values);
  const write = useWrite({
    send: (typed: RawBody<'POST v1/sales'>, headers) => call('POST v1/sales', { rawBody: withoutEmpty(typed), headers }),
    onDone: async (sale) => {
      form.release();
      notify({ title: n.sold(sale.sale_no) });
      void changed();
      await navigate({ to: '/satislar/$saleId', params: { saleId: sale.id }, replace: true });
    },
  });
  // The car that is traded in changes no figure, and is asked for only when the sale is saved.
  const dryBody = body.trade_in ? { ...body, trade_in: { amount: body.trade_in.amount } } : body;
  const preview = useDryRun('sale', isSalePreviewable(form.values) ? dryBody : null, (typed, _, signal) =>
    call('POST sales/preview', { rawBody: typed, signal }),
  );
  const names = useNames();
  const of: FieldsOf<SaleForm> = { form, error: write.error, names };
  const tradeIn = form.values.has_trade_in ? form.values['trade_in.amount'] : '';
  const financed = financedOf(form.values, form.values.sale_price, tradeIn);
  const isForeign = [write.error, preview.error].some(
    (error) => error instanceof ApiError && error.code === 'currency_not_allowed',
  );
  return (
    <RecordForm
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(body)}
      onCancel={() => (router.history.canGoBack() ? router.history.back() : void navigate({ to: '/satislar' }))}
      action={n.save}
      aside={<SalePreviewCard preview={preview} names={names} />}
    >
      <WhoSection of={of} />
      <PriceSection of={of} isExemptionAsked={isForeign || form.values.currency_exemption !== ''} />
      <TradeInSection of={of} />
      <PaymentSection of={of} preview={preview.reply} financed={financed} />
      <OtherSection of={of} />
    </RecordForm>
  );
}

/** A car brings its price and currency, unless another price was typed, and its branch, else the seller's, else the main one. */
function useCarOf(form: Form<SaleForm>): void {
  const locale = useLocale();
  const { vehicle_id, sale_price, salesperson_id } = form.values;
  const main = useBranches().find(({ is_main }) => is_main)?.id;
  const seller = useStaff().find(({ id }) => id === salesperson_id);
  const vehicle = useQuery({ ...vehicleQuery(vehicle_id), enabled: vehicle_id !== '' }).data;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each car, not whenever something is typed
  useEffect(() => {
    if (vehicle === undefined) return;
    if (sale_price === '') form.set('sale_price', typedOf(vehicle.price, locale));
    form.set('currency', vehicle.currency);
  }, [vehicle?.id]);
  const branch = vehicle && (vehicle.branch_id ?? seller?.branch_id ?? main);
  // biome-ignore lint/correctness/useExhaustiveDependencies: not again when the person has chosen another one
  useEffect(() => {
    if (branch !== undefined) form.set('branch_id', branch);
  }, [vehicle?.id, branch]);
}

function useNames(): Readonly<Record<string, string>> {
  const n = useTexts(newSaleTexts);
  const rows = useTexts(ownInstallmentsTexts);
  const { vehicle_id, customer_id, sale_date, branch_id, salesperson_id, sale_price, currency, currency_exemption } = n;
  const { down_payment, finance_charge, installment_count, first_due_date, period, round_to } = n;
  const { late_rate_yearly, delivery_due_on, notes, brand, model, model_year, km, fuel_type, transmission, body_type, color } = n;
  const car = { brand, model, model_year, km, fuel_type, transmission, body_type, color, plate: n.plate, city: n.city };
  return {
    vehicle_id,
    customer_id,
    sale_date,
    branch_id,
    salesperson_id,
    sale_price,
    currency,
    currency_exemption,
    down_payment,
    finance_charge,
    installment_count,
    first_due_date,
    period,
    round_to,
    late_rate_yearly,
    delivery_due_on,
    notes,
    installments: rows.rows,
    guarantor_ids: n.guarantors,
    'trade_in.amount': n.tradeInAmount,
    'trade_in.vehicle.price': n.tradeInPrice,
    ...Object.fromEntries(Object.entries(car).map(([name, word]) => [`trade_in.vehicle.${name}`, word])),
  };
}

interface SectionProps {
  readonly of: FieldsOf<SaleForm>;
}

function WhoSection({ of }: SectionProps) {
  const n = useTexts(newSaleTexts);
  const today = useToday();
  const staff = useStaff().filter(({ active }) => active);
  const { form, error, names } = of;
  return (
    <FormSection title={n.who}>
      <div className="col-span-full grid grid-cols-1 gap-x-4 gap-y-3 @md:grid-cols-2">
        <VehiclePicker
          toSell
          id="vehicle_id"
          label={n.vehicle_id}
          error={problemOf(error, 'vehicle_id', names.vehicle_id ?? '')}
          value={form.values.vehicle_id}
          onChange={(id) => form.set('vehicle_id', id)}
        />
        <CustomerPicker
          id="customer_id"
          label={n.customer_id}
          error={problemOf(error, 'customer_id', names.customer_id ?? '')}
          value={form.values.customer_id}
          onChange={(id) => form.set('customer_id', id)}
        />
      </div>
      <TextField of={of} name="sale_date" type="date" max={today} />
      <BranchField of={of} />
      <ChoiceField
        of={of}
        name="salesperson_id"
        none={n.notSet}
        options={staff.map(({ id, full_name }) => ({ value: id, label: full_name }))}
      />
    </FormSection>
  );
}

/** Of the car, unless another is chosen; a dealer with one branch is not asked. */
function BranchField({ of }: SectionProps) {
  const n = useTexts(newSaleTexts);
  const branches = useBranches();
  const { vehicle_id, branch_id } = of.form.values;
  const vehicle = useQuery({ ...vehicleQuery(vehicle_id), enabled: vehicle_id !== '' }).data;
  if (branches.length < 2) return null;
  return (
    <ChoiceField
      of={of}
      name="branch_id"
      none={n.notSet}
      hint={vehicle && branch_id !== '' && vehicle.branch_id === branch_id ? n.branchHint : undefined}
      options={branches.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

function PriceSection({ of, isExemptionAsked }: SectionProps & { readonly isExemptionAsked: boolean }) {
  const n = useTexts(newSaleTexts);
  const format = useFormat();
  const { vehicle_id } = of.form.values;
  const vehicle = useQuery({ ...vehicleQuery(vehicle_id), enabled: vehicle_id !== '' }).data;
  return (
    <FormSection title={n.price}>
      <MoneyField
        of={of}
        name="sale_price"
        currency="currency"
        hint={vehicle && n.listPrice(format.money(vehicle.price, vehicle.currency, true))}
      />
      {isExemptionAsked && <TextField of={of} name="currency_exemption" maxLength={200} hint={n.exemptionHint} />}
    </FormSection>
  );
}

function OtherSection({ of }: SectionProps) {
  const n = useTexts(newSaleTexts);
  return (
    <FormSection title={n.other}>
      {of.form.values.pay_by !== 'cash' && <TextField of={of} name="late_rate_yearly" inputMode="decimal" optional />}
      <TextField of={of} name="delivery_due_on" type="date" min={of.form.values.sale_date} optional />
      <GuarantorChoice
        ticksAll
        customerId={of.form.values.customer_id}
        chosen={of.form.values.guarantor_ids}
        onChange={(ids) => of.form.set('guarantor_ids', ids)}
      />
      <LinesField of={of} name="notes" rows={2} maxLength={5000} optional wide />
    </FormSection>
  );
}
