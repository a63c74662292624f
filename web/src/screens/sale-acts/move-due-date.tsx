// An installment of a plan on another day: later is a postponement and asks for the reason, earlier a correction.

import { call } from '../../api.ts';
import { formatFor } from '../../format.ts';
import { useLocale, useTexts } from '../../language.ts';
import { FormLayer } from '../../parts/form/form.tsx';
import { withoutEmpty } from '../../parts/form/form-body.ts';
import { type FieldsOf, LinesField, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { notify } from '../../parts/overlay/toast.tsx';
import { useSalesChanged } from '../../records/sales/sales.ts';
import { saleActsTexts } from './texts.ts';

interface MoveProps {
  readonly installmentId: string;
  /** What the installment is called: «3/12. taksit». */
  readonly installment: string;
  /** Its present due date. */
  readonly from: string;
  readonly onClose: () => void;
}

interface Typed {
  readonly new_due_date: string;
  readonly reason: string;
}

export function MoveDueDate({ installmentId, installment, from, onClose }: MoveProps) {
  const t = useTexts(saleActsTexts);
  const locale = useLocale();
  const changed = useSalesChanged();
  const params = { installment_id: installmentId };
  const form = useForm({ new_due_date: from, reason: '' });
  const { new_due_date } = form.values;
  const isEarlier = new_due_date !== '' && new_due_date < from;
  const write = useWrite({
    send: ({ reason, ...typed }: Typed, headers) =>
      isEarlier
        ? call('PATCH v1/installments/{installment_id}', { params, rawBody: { due_date: typed.new_due_date }, headers })
        : call('POST v1/installments/{installment_id}/postpone', {
            params,
            rawBody: withoutEmpty({ ...typed, reason }),
            headers,
          }),
    onDone: ({ due_date }) => {
      notify({ title: t.moved(formatFor(locale, 'UTC').date(due_date)) });
      onClose();
      return changed();
    },
  });
  const names = { new_due_date: t.new_due_date, due_date: t.new_due_date, reason: t.reason };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(form.values)}
      onClose={onClose}
      title={t.moveTitle(installment)}
      description={t.moveText}
      action={isEarlier ? t.moveEarlier : t.postpone}
    >
      <TextField of={of} name="new_due_date" type="date" />
      {!isEarlier && <LinesField of={of} name="reason" rows={2} maxLength={500} />}
    </FormLayer>
  );
}
