// «Taksiti düzenle»: another amount, an earlier day, a note. What it takes off or adds goes to the plan's last open row.
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useLocale, useTexts } from '../../language.ts';
import { useDryRun } from '../../parts/form/dry-run.ts';
import { FormLayer } from '../../parts/form/form.tsx';
import { amountOf, amountToSend } from '../../parts/form/form-amount.ts';
import { changesOf } from '../../parts/form/form-body.ts';
import { type FieldsOf, LinesField, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { notify } from '../../parts/overlay/toast.tsx';
import type { Locale } from '../../preferences.ts';
import { typedOf } from '../../records/amounts.ts';
import { type Installment, type PlanWithInstallments, useSalesChanged, useToday } from '../../records/sales/sales.ts';
import { useFormat } from '../../session.ts';
import { PlanPreview } from './plan-preview.tsx';
import { saleActsTexts } from './texts.ts';

interface EditInstallmentProps {
  readonly installment: Installment;
  /** What the installment is called: «3/12. taksit». */
  readonly name: string;
  readonly plan: PlanWithInstallments;
  readonly onClose: () => void;
}

type Body = RawBody<'PATCH v1/installments/{installment_id}'>;

const valuesOf = ({ amount, due_date, note }: Installment, locale: Locale) => ({
  amount: typedOf(amount, locale),
  due_date,
  note: note ?? '',
});

export function EditInstallment({ installment, name, plan, onClose }: EditInstallmentProps) {
  const t = useTexts(saleActsTexts);
  const format = useFormat();
  const today = useToday();
  const changed = useSalesChanged();
  const params = { installment_id: installment.id };
  const form = useForm(valuesOf(installment, useLocale()));
  const { amount, due_date } = form.values;
  const { required, optional, has } = changesOf(form.values, form.changed);
  const body: Body = {
    amount: required('amount', amountToSend),
    due_date: required('due_date'),
    note: optional('note'),
  };
  const write = useWrite({
    send: (typed: Body, headers) => call('PATCH v1/installments/{installment_id}', { params, rawBody: typed, headers }),
    onDone: () => {
      notify({ title: t.installmentEdited });
      onClose();
      return changed();
    },
  });
  const isAsked = (has('amount') && amountOf(amount) !== undefined) || (has('due_date') && due_date !== '');
  const preview = useDryRun('row', isAsked ? body : null, (typed: Body, _, signal) =>
    call('POST installments/{installment_id}/preview', { params, rawBody: typed, signal }),
  );
  const names = { amount: t.installmentAmount, due_date: t.installmentDue, note: t.note };
  const of: FieldsOf<typeof form.values> = {
    form,
    error: write.error,
    names,
    locked: (field) => field === 'amount' && installment.seq === 0,
  };
  const typed = amountOf(amount);
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => (form.isDirty ? write.run(body) : onClose())}
      onClose={onClose}
      title={t.editInstallmentTitle(name)}
      description={t.editInstallmentText}
    >
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextField
          of={of}
          name="amount"
          inputMode="decimal"
          autoFocus={installment.seq !== 0}
          hint={
            installment.seq === 0
              ? t.downFixed
              : typed === undefined
                ? installment.currency
                : format.money(typed, installment.currency)
          }
        />
        <TextField of={of} name="due_date" type="date" min={today} max={installment.due_date} hint={t.onlyEarlier} />
      </div>
      {isAsked && (
        <PlanPreview run={preview} plan={plan} names={names}>
          {({ plan: after }) => t.sameTotal(format.money(after.total_amount, after.currency))}
        </PlanPreview>
      )}
      <LinesField of={of} name="note" rows={2} maxLength={2000} optional />
    </FormLayer>
  );
}
