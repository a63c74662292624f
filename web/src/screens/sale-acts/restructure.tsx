// «Yapılandır»: what is open is spread over new rows. The figures shown are a dry run of the server.
import { PERIODS, ROUND_TO } from '../../../../src/domain/installments/sales-states.ts';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useLocale, useTexts } from '../../language.ts';
import { useDryRun } from '../../parts/form/dry-run.ts';
import { FormLayer } from '../../parts/form/form.tsx';
import { amountOf, amountToSend } from '../../parts/form/form-amount.ts';
import { filled } from '../../parts/form/form-body.ts';
import { ChoiceField, type FieldsOf, LinesField, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { RadioGroup } from '../../parts/input/choices.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { plus } from '../../records/amounts.ts';
import { saleWord } from '../../records/sales/sale-texts.ts';
import {
  type Installment,
  type PlanWithInstallments,
  type SaleDetail,
  useSalesChanged,
  useToday,
} from '../../records/sales/sales.ts';
import { useFormat } from '../../session.ts';
import {
  areInstallmentsFilled,
  installmentsFrom,
  installmentsToSend,
  OwnInstallments,
  type TypedInstallment,
} from './own-installments.tsx';
import { ownInstallmentsTexts } from './own-installments-texts.ts';
import { PlanPreview } from './plan-preview.tsx';
import { saleActsTexts } from './texts.ts';

interface RestructureProps {
  readonly sale: SaleDetail;
  readonly plan: PlanWithInstallments;
  readonly onClose: () => void;
}

const FROM = 'restructure.from';
const COUNT = 'restructure.installment_count';
const PERIOD = 'restructure.period';
const ROUND = 'restructure.round_to';
const ROWS = 'restructure.installments';
const CHARGE = 'restructure.add_finance_charge';
const REASON = 'restructure.reason';

const emptyRestructuring = (today: string) => ({
  by: 'count' as string,
  [FROM]: today,
  [COUNT]: '12',
  [PERIOD]: 'Aylık',
  [ROUND]: '',
  [ROWS]: [] as readonly TypedInstallment[],
  [CHARGE]: '',
  [REASON]: '',
});
type RestructureForm = ReturnType<typeof emptyRestructuring>;

export function restructureBody(values: RestructureForm, reason: string): RawBody<'PATCH v1/sales/{sale_id}'> {
  const isOwn = values.by === 'rows';
  return {
    restructure: {
      from: values[FROM],
      installments: isOwn ? installmentsToSend(values[ROWS]) : undefined,
      installment_count: isOwn ? undefined : Number(values[COUNT]),
      period: isOwn ? undefined : values[PERIOD],
      round_to: isOwn ? undefined : filled(values[ROUND], Number),
      add_finance_charge: filled(values[CHARGE], amountToSend),
      reason,
    },
  };
}

/** What is cut off: what stays open on installments that are overdue or due from the first new day on. */
const isCut = ({ status, is_overdue, due_date }: Installment, from: string): boolean =>
  (status === 'Bekliyor' || status === 'Kısmi Ödendi') && (is_overdue || due_date >= from);

function totalOf(plan: PlanWithInstallments, values: RestructureForm): string | null {
  const charge = values[CHARGE].trim() === '' ? '0' : amountOf(values[CHARGE]);
  if (charge === undefined) return null;
  return plus(
    charge,
    ...plan.installments
      .filter((installment) => isCut(installment, values[FROM]))
      .map((installment) => installment.remaining_amount),
  );
}

export function Restructure({ sale, plan, onClose }: RestructureProps) {
  const t = useTexts(saleActsTexts);
  const o = useTexts(ownInstallmentsTexts);
  const format = useFormat();
  const today = useToday();
  const changed = useSalesChanged();
  const params = { sale_id: sale.id };
  const form = useForm<RestructureForm>(emptyRestructuring(today));
  const { values } = form;
  const write = useWrite({
    send: (body: RawBody<'PATCH v1/sales/{sale_id}'>, headers) =>
      call('PATCH v1/sales/{sale_id}', { params, rawBody: body, headers }),
    onDone: () => {
      notify({ title: t.restructured });
      onClose();
      return changed();
    },
  });
  const isFilled = values.by === 'rows' ? areInstallmentsFilled(values[ROWS]) : Number(values[COUNT]) > 0;
  // The reason is written last and changes no figure, so any will do while it is empty.
  const preview = useDryRun(
    'restructure',
    values[FROM] !== '' && isFilled ? restructureBody(values, 'önizleme') : null,
    (typed, _, signal) => call('POST sales/{sale_id}/preview', { params, rawBody: typed, signal }),
  );
  const names = {
    [FROM]: t.from,
    [COUNT]: t.installment_count,
    [PERIOD]: t.period,
    [ROUND]: t.round_to,
    [ROWS]: o.rows,
    [CHARGE]: t.add_finance_charge,
    [REASON]: t.reason,
  };
  const of: FieldsOf<RestructureForm> = { form, error: write.error, names };
  return (
    <FormLayer
      drawer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(restructureBody(values, values[REASON]))}
      onClose={onClose}
      title={t.restructureTitle}
      description={t.restructureText}
      action={t.restructure}
    >
      <PlanFields of={of} plan={plan} today={today} planned={preview.reply?.plan.installments} />
      <PlanPreview run={preview} plan={plan} names={names}>
        {({ sale: after }) => t.newTotal(format.money(after.outstanding_amount, after.currency), after.installment_count)}
      </PlanPreview>
      <LinesField of={of} name={REASON} rows={2} maxLength={500} />
    </FormLayer>
  );
}

interface PlanFieldsProps {
  readonly of: FieldsOf<RestructureForm>;
  readonly plan: PlanWithInstallments;
  readonly today: string;
  /** The installments of the last preview, with which an own plan begins. */
  readonly planned: readonly Installment[] | undefined;
}

function PlanFields({ of, plan, today, planned }: PlanFieldsProps) {
  const t = useTexts(saleActsTexts);
  const locale = useLocale();
  const format = useFormat();
  const { form } = of;
  const { values } = form;
  const charge = amountOf(values[CHARGE]);
  const choose = (by: string) => {
    const known = new Set(plan.installments.map(({ id }) => id));
    if (by === 'rows' && values[ROWS].length === 0)
      form.set(ROWS, installmentsFrom(planned?.filter(({ id }) => !known.has(id)) ?? [], locale));
    form.set('by', by);
  };
  return (
    <>
      <RadioGroup
        inline
        label={t.restructureBy}
        value={values.by}
        options={[
          { value: 'count', label: t.byCount },
          { value: 'rows', label: t.byRows },
        ]}
        onChange={choose}
      />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextField of={of} name={FROM} type="date" min={today} hint={t.fromHint} />
        <TextField
          of={of}
          name={CHARGE}
          inputMode="decimal"
          optional
          hint={charge === undefined ? plan.currency : format.money(charge, plan.currency)}
        />
        {values.by === 'count' && (
          <>
            <TextField of={of} name={COUNT} inputMode="numeric" maxLength={3} />
            <ChoiceField of={of} name={PERIOD} options={PERIODS.map((value) => ({ value, label: saleWord(locale, value) }))} />
            <ChoiceField
              of={of}
              name={ROUND}
              none={t.noRounding}
              options={ROUND_TO.map((value) => ({ value: String(value), label: String(value) }))}
            />
          </>
        )}
      </div>
      {values.by === 'rows' && (
        <OwnInstallments
          rows={values[ROWS]}
          onChange={(rows) => form.set(ROWS, rows)}
          name={ROWS}
          error={of.error}
          from={values[FROM]}
          total={totalOf(plan, values)}
          currency={plan.currency}
        />
      )}
    </>
  );
}
