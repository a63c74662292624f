// «Ertele»: an installment is put off by months or to a day, with its reason; the new day is the server's.

import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { formatFor } from '../../format.ts';
import { useLocale, useTexts } from '../../language.ts';
import { useDryRun } from '../../parts/form/dry-run.ts';
import { DryRunNote } from '../../parts/form/dry-run-note.tsx';
import { FormLayer } from '../../parts/form/form.tsx';
import { withoutEmpty } from '../../parts/form/form-body.ts';
import { ChoiceField, type FieldsOf, LinesField, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { Checkbox, RadioGroup } from '../../parts/input/choices.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { useSalesChanged } from '../../records/sales/sales.ts';
import { saleActsTexts } from './texts.ts';

interface PostponeProps {
  readonly installmentId: string;
  /** What the installment is called: «3/12. taksit». */
  readonly installment: string;
  /** A day that was chosen elsewhere, such as in the calendar. */
  readonly to?: string;
  readonly onClose: () => void;
}

type Body = RawBody<'POST v1/installments/{installment_id}/postpone'>;
const MONTHS = Array.from({ length: 12 }, (_, at) => at + 1);

export function Postpone({ installmentId, installment, to = '', onClose }: PostponeProps) {
  const t = useTexts(saleActsTexts);
  const locale = useLocale();
  const changed = useSalesChanged();
  const params = { installment_id: installmentId };
  const form = useForm({ by: to === '' ? 'months' : 'day', months: '1', new_due_date: to, shift: false as boolean, reason: '' });
  const { by, months, new_due_date, shift, reason } = form.values;
  const bodyWith = (reason: string): Body =>
    by === 'months' ? { months: Number(months), reason, shift_following: shift || undefined } : { new_due_date, reason };
  const write = useWrite({
    send: (typed: Body, headers) =>
      call('POST v1/installments/{installment_id}/postpone', { params, rawBody: withoutEmpty(typed), headers }),
    onDone: () => {
      notify({ title: t.postponed });
      onClose();
      return changed();
    },
  });
  // The reason is written last and changes no date, so any will do while it is empty.
  const isAsked = by === 'months' || new_due_date !== '';
  const preview = useDryRun('postpone', isAsked ? bodyWith('önizleme') : null, (typed: Body, headers, signal) =>
    call('POST v1/installments/{installment_id}/postpone', { params, rawBody: withoutEmpty(typed), headers, signal }),
  );
  const names = { months: t.months, new_due_date: t.new_due_date, reason: t.reason };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(bodyWith(reason))}
      onClose={onClose}
      title={t.postponeTitle(installment)}
      action={t.postpone}
    >
      <RadioGroup
        inline
        label={t.postponeBy}
        value={by}
        options={[
          { value: 'months', label: t.byMonths },
          { value: 'day', label: t.byDay },
        ]}
        onChange={(value) => form.set('by', value)}
      />
      {by === 'months' ? (
        <>
          <ChoiceField of={of} name="months" options={MONTHS.map((n) => ({ value: String(n), label: t.monthCount(n) }))} />
          <Checkbox label={t.shift} checked={shift} onChange={(checked) => form.set('shift', checked)} />
        </>
      ) : (
        <TextField of={of} name="new_due_date" type="date" />
      )}
      <DryRunNote run={preview} names={names}>
        {({ due_date }) => t.postponePreview(formatFor(locale, 'UTC').date(due_date))}
      </DryRunNote>
      <LinesField of={of} name="reason" rows={2} maxLength={500} />
    </FormLayer>
  );
}
