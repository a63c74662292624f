// «Sözü değiştir»: another day or amount for an open promise. What that makes of it is a dry run of the server.
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { formatFor } from '../../format.ts';
import { useLocale, useTexts } from '../../language.ts';
import { useDryRun } from '../../parts/form/dry-run.ts';
import { DryRunNote } from '../../parts/form/dry-run-note.tsx';
import { FormLayer } from '../../parts/form/form.tsx';
import { amountOf, amountToSend } from '../../parts/form/form-amount.ts';
import { changesOf } from '../../parts/form/form-body.ts';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { notify } from '../../parts/overlay/toast.tsx';
import { typedOf } from '../../records/amounts.ts';
import { saleWord } from '../../records/sales/sale-texts.ts';
import { type PaymentPromise, useSalesChanged } from '../../records/sales/sales.ts';
import { useFormat } from '../../session.ts';
import { PromiseFields } from './promise.tsx';
import { saleActsTexts } from './texts.ts';

type Body = RawBody<'PATCH v1/payment-promises/{promise_id}'>;

export function ChangePromise({ promise, onClose }: { readonly promise: PaymentPromise; readonly onClose: () => void }) {
  const t = useTexts(saleActsTexts);
  const locale = useLocale();
  const format = useFormat();
  const changed = useSalesChanged();
  const params = { promise_id: promise.id };
  const form = useForm({
    amount: typedOf(promise.amount, locale),
    promised_date: promise.promised_date,
    note: promise.note ?? '',
  });
  const { amount, promised_date } = form.values;
  const { required, optional } = changesOf(form.values, form.changed);
  const body: Body = {
    amount: required('amount', amountToSend),
    promised_date: required('promised_date'),
    note: optional('note'),
  };
  const write = useWrite({
    send: (typed: Body, headers) => call('PATCH v1/payment-promises/{promise_id}', { params, rawBody: typed, headers }),
    onDone: () => {
      notify({ title: t.promiseChanged });
      onClose();
      return changed();
    },
  });
  const isAsked = form.isDirty && promised_date !== '' && amountOf(amount) !== undefined;
  const preview = useDryRun('promise', isAsked ? body : null, (typed: Body, headers, signal) =>
    call('PATCH v1/payment-promises/{promise_id}', { params, rawBody: typed, headers, signal }),
  );
  const names = { amount: t.promiseAmount, promised_date: t.promised_date, note: t.note };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => (form.isDirty ? write.run(body) : onClose())}
      onClose={onClose}
      title={t.promiseChange}
    >
      <PromiseFields of={{ form, error: write.error, names }} currency={promise.currency} />
      {isAsked && (
        <DryRunNote run={preview} names={names}>
          {(after) =>
            t.promisePreview(
              formatFor(locale, 'UTC').date(after.promised_date),
              format.money(after.amount, after.currency),
              saleWord(locale, after.status),
            )
          }
        </DryRunNote>
      )}
    </FormLayer>
  );
}
