// A collection is never deleted: a second record with its exact negatives takes it back.

import { REVERSAL_CODES } from '../../../../src/domain/installments/sales-states.ts';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useLocale, useTexts } from '../../language.ts';
import { useDryRun } from '../../parts/form/dry-run.ts';
import { DryRunNote } from '../../parts/form/dry-run-note.tsx';
import { FormLayer } from '../../parts/form/form.tsx';
import { withoutEmpty } from '../../parts/form/form-body.ts';
import { ChoiceField, type FieldsOf, LinesField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { notify } from '../../parts/overlay/toast.tsx';
import { saleWord } from '../../records/sales/sale-texts.ts';
import { type Collection, useSalesChanged } from '../../records/sales/sales.ts';
import { useFormat } from '../../session.ts';
import { saleActsTexts } from './texts.ts';

interface ReverseProps {
  readonly collection: Pick<Collection, 'id' | 'receipt_no'>;
  readonly onClose: () => void;
}

export function ReverseCollection({ collection, onClose }: ReverseProps) {
  const t = useTexts(saleActsTexts);
  const locale = useLocale();
  const format = useFormat();
  const changed = useSalesChanged();
  const form = useForm({ reason_code: 'Yanlış Kayıt', reason: '' });
  const write = useWrite({
    send: (typed: RawBody<'POST v1/collections/{collection_id}/reverse'>, headers) =>
      call('POST v1/collections/{collection_id}/reverse', {
        params: { collection_id: collection.id },
        rawBody: withoutEmpty(typed),
        headers,
      }),
    onDone: () => {
      notify({ title: t.reversed });
      onClose();
      return changed();
    },
  });
  // The reason is written last and changes no figure, so any will do while it is empty.
  const preview = useDryRun('reverse', { reason: 'önizleme' }, (typed, headers, signal) =>
    call('POST v1/collections/{collection_id}/reverse', {
      params: { collection_id: collection.id },
      rawBody: withoutEmpty(typed),
      headers,
      signal,
    }),
  );
  const names = { reason_code: t.reason_code, reason: t.reason };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  const { reason_code, reason } = form.values;
  return (
    <FormLayer
      danger
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run({ reason, ...(reason_code === '' ? {} : { reason_code }) })}
      onClose={onClose}
      title={t.reverseTitle(collection.receipt_no)}
      description={t.reverseText}
      action={t.reverse}
    >
      <DryRunNote run={preview} names={names}>
        {({ reversal }) => t.reversePreview(format.money(reversal.amount, reversal.currency), reversal.allocations.length)}
      </DryRunNote>
      <ChoiceField
        of={of}
        name="reason_code"
        none={t.reasonOther}
        options={REVERSAL_CODES.map((value) => ({ value, label: saleWord(locale, value) }))}
      />
      <LinesField of={of} name="reason" rows={2} maxLength={500} />
    </FormLayer>
  );
}
