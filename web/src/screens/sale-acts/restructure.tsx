// «Yapılandır»: what is open is spread over new rows. The figures shown are a dry run of the server.
import { PERIODS } from '../../../../src/domain/sales/sales-states.ts';
import { call } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { useDryRun } from '../../parts/form/dry-run.ts';
import { DryRunNote } from '../../parts/form/dry-run-note.tsx';
import { FormLayer } from '../../parts/form/form.tsx';
import { amountOf, amountToSend } from '../../parts/form/form-amount.ts';
import { ChoiceField, type FieldsOf, LinesField, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { notify } from '../../parts/toast.tsx';
import { saleWord } from '../../records/sale-texts.ts';
import { type SaleDetail, useSalesChanged, useToday } from '../../records/sales.ts';
import { useFormat } from '../../session.ts';
import { saleActsTexts } from './texts.ts';

interface RestructureProps {
  readonly sale: SaleDetail;
  readonly onClose: () => void;
}

const FROM = 'restructure.from';
const COUNT = 'restructure.installment_count';
const PERIOD = 'restructure.period';
const CHARGE = 'restructure.add_finance_charge';
const REASON = 'restructure.reason';

export function Restructure({ sale, onClose }: RestructureProps) {
  const t = useTexts(saleActsTexts);
  const locale = useLocale();
  const format = useFormat();
  const today = useToday();
  const changed = useSalesChanged();
  const params = { sale_id: sale.id };
  const form = useForm({ [FROM]: today, [COUNT]: '12', [PERIOD]: 'Aylık', [CHARGE]: '', [REASON]: '' });
  const { values } = form;
  const typed = (name: keyof typeof values): string => values[name];
  const bodyWith = (reason: string) => ({
    restructure: {
      from: typed(FROM),
      installment_count: Number(typed(COUNT)),
      period: typed(PERIOD),
      ...(typed(CHARGE).trim() === '' ? {} : { add_finance_charge: amountToSend(typed(CHARGE)) }),
      reason,
    },
  });
  const write = useWrite({
    send: (body: ReturnType<typeof bodyWith>, headers) => call('PATCH v1/sales/{sale_id}', { params, typed: body, headers }),
    onDone: () => {
      notify({ title: t.restructured });
      onClose();
      return changed();
    },
  });
  const isAsked = typed(FROM) !== '' && Number(typed(COUNT)) > 0;
  const preview = useDryRun('restructure', isAsked ? bodyWith('önizleme') : null, (body, headers, signal) =>
    call('PATCH v1/sales/{sale_id}', { params, typed: body, headers, signal }),
  );
  const names = {
    [FROM]: t.from,
    [COUNT]: t.installment_count,
    [PERIOD]: t.period,
    [CHARGE]: t.add_finance_charge,
    [REASON]: t.reason,
  };
  const of: FieldsOf<typeof values> = { form, error: write.error, names };
  const charge = amountOf(typed(CHARGE));
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(bodyWith(typed(REASON)))}
      onClose={onClose}
      title={t.restructureTitle}
      description={t.restructureText}
      action={t.restructure}
    >
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextField of={of} name={FROM} type="date" min={today} />
        <TextField of={of} name={COUNT} inputMode="numeric" maxLength={3} />
        <ChoiceField of={of} name={PERIOD} options={PERIODS.map((value) => ({ value, label: saleWord(locale, value) }))} />
        <TextField
          of={of}
          name={CHARGE}
          inputMode="decimal"
          optional
          hint={charge === undefined ? sale.currency : format.money(charge, sale.currency)}
        />
      </div>
      <DryRunNote run={preview}>
        {({ outstanding_amount, installment_count, currency }) =>
          t.newTotal(format.money(outstanding_amount, currency), installment_count)
        }
      </DryRunNote>
      <LinesField of={of} name={REASON} rows={2} maxLength={500} />
    </FormLayer>
  );
}
