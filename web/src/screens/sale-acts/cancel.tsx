// «Satışı iptal et»: what goes back to the customer and what stays, as the server would settle it.
import { COLLECTION_METHODS, DISPOSITIONS } from '../../../../src/domain/sales/sales-states.ts';
import { call } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { useDryRun } from '../../parts/form/dry-run.ts';
import { DryRunNote } from '../../parts/form/dry-run-note.tsx';
import { FormLayer } from '../../parts/form/form.tsx';
import { amountToSend } from '../../parts/form/form-amount.ts';
import { ChoiceField, type FieldsOf, LinesField, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { notify } from '../../parts/toast.tsx';
import { isAbove } from '../../records/amounts.ts';
import { saleWord } from '../../records/sale-texts.ts';
import { type SaleDetail, useSalesChanged } from '../../records/sales.ts';
import { useFormat } from '../../session.ts';
import { saleActsTexts } from './texts.ts';

interface CancelProps {
  readonly sale: SaleDetail;
  readonly onClose: () => void;
}

export function CancelSale({ sale, onClose }: CancelProps) {
  const t = useTexts(saleActsTexts);
  const locale = useLocale();
  const format = useFormat();
  const changed = useSalesChanged();
  const params = { sale_id: sale.id };
  const isPaid = isAbove(sale.collected_amount);
  const hasTradeIn = isAbove(sale.trade_in_amount);
  const form = useForm({ refund_amount: '', refund_method: 'Nakit', trade_in_disposition: 'iade', reason: '' });
  const { refund_amount, refund_method, trade_in_disposition, reason } = form.values;
  const isRefunded = isPaid || (hasTradeIn && trade_in_disposition === 'kalsın');
  const bodyWith = (said: string) => ({
    reason: said,
    ...(refund_amount.trim() === '' ? {} : { refund_amount: amountToSend(refund_amount) }),
    ...(isRefunded ? { refund_method } : {}),
    ...(hasTradeIn ? { trade_in_disposition } : {}),
  });
  const write = useWrite({
    send: (typed: ReturnType<typeof bodyWith>, headers) => call('POST v1/sales/{sale_id}/cancel', { params, typed, headers }),
    onDone: () => {
      notify({ title: t.cancelled });
      onClose();
      return changed();
    },
  });
  const preview = useDryRun('cancel', bodyWith('önizleme'), (typed, headers, signal) =>
    call('POST v1/sales/{sale_id}/cancel', { params, typed, headers, signal }),
  );
  const names = {
    refund_amount: t.refund_amount,
    refund_method: t.refund_method,
    trade_in_disposition: t.trade_in_disposition,
    reason: t.reason,
  };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  const money = (amount: string) => format.money(amount, sale.currency);
  return (
    <FormLayer
      danger
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(bodyWith(reason))}
      onClose={onClose}
      title={t.cancelTitle(sale.sale_no)}
      description={t.cancelText}
      action={t.cancel}
    >
      {hasTradeIn && (
        <ChoiceField
          of={of}
          name="trade_in_disposition"
          options={DISPOSITIONS.map((value) => ({ value, label: saleWord(locale, value) }))}
        />
      )}
      {isRefunded && (
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <TextField
            of={of}
            name="refund_amount"
            inputMode="decimal"
            optional
            hint={t.refundHint(money(sale.collected_amount))}
          />
          <ChoiceField
            of={of}
            name="refund_method"
            options={COLLECTION_METHODS.map((value) => ({ value, label: saleWord(locale, value) }))}
          />
        </div>
      )}
      <DryRunNote run={preview}>
        {({ refunded_amount, retained_amount }) => t.cancelPreview(money(refunded_amount), money(retained_amount))}
      </DryRunNote>
      <LinesField of={of} name="reason" rows={2} maxLength={500} />
    </FormLayer>
  );
}
