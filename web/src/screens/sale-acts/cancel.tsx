// «Satışı iptal et»: what goes back to the customer and what stays, as the server would settle it.

import { useQuery } from '@tanstack/react-query';
import { COLLECTION_METHODS, DISPOSITIONS } from '../../../../src/domain/installments/sales-states.ts';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useLocale, useTexts } from '../../language.ts';
import { useDryRun } from '../../parts/form/dry-run.ts';
import { DryRunNote } from '../../parts/form/dry-run-note.tsx';
import { FormLayer } from '../../parts/form/form.tsx';
import { amountToSend, rateToSend } from '../../parts/form/form-amount.ts';
import { filled, withoutEmpty } from '../../parts/form/form-body.ts';
import { ChoiceField, type FieldsOf, LinesField, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { notify } from '../../parts/overlay/toast.tsx';
import { isAbove } from '../../records/amounts.ts';
import { saleWord } from '../../records/sales/sale-texts.ts';
import { type SaleDetail, saleCollectionsQuery, useSalesChanged } from '../../records/sales/sales.ts';
import { useFormat } from '../../session.ts';
import { saleActsTexts } from './texts.ts';

interface CancelProps {
  readonly sale: SaleDetail;
  readonly onClose: () => void;
}

const emptyCancel = (sale: SaleDetail) => ({
  refund_amount: '',
  refund_currency: sale.currency as string,
  exchange_rate: '',
  refund_method: 'Nakit',
  trade_in_disposition: 'iade',
  reason: '',
});
type CancelForm = ReturnType<typeof emptyCancel>;

/** Money goes back if some was collected, or if a car that was traded in stays here. */
function cancelState(sale: SaleDetail, { refund_currency, trade_in_disposition }: CancelForm) {
  const hasTradeIn = isAbove(sale.trade_in_amount);
  const isRefunded = isAbove(sale.collected_amount) || (hasTradeIn && trade_in_disposition === 'kalsın');
  return { hasTradeIn, isRefunded, isForeign: refund_currency !== sale.currency };
}

export function cancelBody(sale: SaleDetail, values: CancelForm, reason: string): RawBody<'POST v1/sales/{sale_id}/cancel'> {
  const { isForeign, isRefunded, hasTradeIn } = cancelState(sale, values);
  return {
    reason,
    refund_amount: filled(values.refund_amount, amountToSend),
    refund_method: isRefunded ? values.refund_method : undefined,
    refund_currency: isRefunded && isForeign ? values.refund_currency : undefined,
    exchange_rate: isRefunded && isForeign ? filled(values.exchange_rate, rateToSend) : undefined,
    trade_in_disposition: hasTradeIn ? values.trade_in_disposition : undefined,
  };
}

export function CancelSale({ sale, onClose }: CancelProps) {
  const t = useTexts(saleActsTexts);
  const locale = useLocale();
  const format = useFormat();
  const changed = useSalesChanged();
  const params = { sale_id: sale.id };
  const form = useForm(emptyCancel(sale));
  const { isForeign, isRefunded, hasTradeIn } = cancelState(sale, form.values);
  const write = useWrite({
    send: (typed: RawBody<'POST v1/sales/{sale_id}/cancel'>, headers) =>
      call('POST v1/sales/{sale_id}/cancel', { params, rawBody: withoutEmpty(typed), headers }),
    onDone: () => {
      notify({ title: t.cancelled });
      onClose();
      return changed();
    },
  });
  const preview = useDryRun('cancel', cancelBody(sale, form.values, 'önizleme'), (typed, _, signal) =>
    call('POST sales/{sale_id}/cancel-preview', { params, rawBody: typed, signal }),
  );
  const names = {
    refund_amount: t.refundIn(sale.currency),
    refund_currency: t.refund_currency,
    exchange_rate: t.exchange_rate,
    refund_method: t.refund_method,
    trade_in_disposition: t.trade_in_disposition,
    reason: t.reason,
  };
  const of: FieldsOf<CancelForm> = { form, error: write.error, names };
  const money = (amount: string) => format.money(amount, sale.currency);
  return (
    <FormLayer
      danger
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(cancelBody(sale, form.values, form.values.reason))}
      onClose={onClose}
      title={t.cancelTitle(sale.sale_no)}
      description={t.cancelText}
      action={t.cancel}
      dismiss={t.keepSale}
    >
      {hasTradeIn && (
        <ChoiceField
          of={of}
          name="trade_in_disposition"
          options={DISPOSITIONS.map((value) => ({ value, label: saleWord(locale, value) }))}
        />
      )}
      {isRefunded && <RefundFields of={of} sale={sale} isForeign={isForeign} />}
      <DryRunNote run={preview} names={names}>
        {({ sale: after, refund }) => {
          const text = t.cancelPreview(money(after.refunded_amount), money(after.retained_amount));
          if (refund === null || refund.exchange_rate === null || refund.rate_pair === null) return text;
          const rate = format.rate(refund.exchange_rate, refund.rate_pair.split('-')[1] ?? 'TL');
          return `${text} ${t.paidOut(format.money(refund.amount.replace('-', ''), refund.currency), refund.rate_pair, rate)}`;
        }}
      </DryRunNote>
      <LinesField of={of} name="reason" rows={2} maxLength={500} />
    </FormLayer>
  );
}

interface RefundProps {
  readonly of: FieldsOf<CancelForm>;
  readonly sale: SaleDetail;
  readonly isForeign: boolean;
}

function RefundFields({ of, sale, isForeign }: RefundProps) {
  const t = useTexts(saleActsTexts);
  const locale = useLocale();
  const format = useFormat();
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <TextField
        of={of}
        name="refund_amount"
        inputMode="decimal"
        optional
        hint={t.refundHint(format.money(sale.collected_amount, sale.currency))}
      />
      <RefundCurrency of={of} sale={sale} />
      {isForeign && <TextField of={of} name="exchange_rate" inputMode="decimal" optional hint={t.exchangeRateHint} />}
      <ChoiceField
        of={of}
        name="refund_method"
        options={COLLECTION_METHODS.map((value) => ({ value, label: saleWord(locale, value) }))}
      />
    </div>
  );
}

interface RefundCurrencyProps {
  readonly of: FieldsOf<{ readonly refund_currency: string }>;
  readonly sale: SaleDetail;
}

/** Money goes back in the sale's currency, or in one in which it came. */
function RefundCurrency({ of, sale }: RefundCurrencyProps) {
  const collections = useQuery(saleCollectionsQuery(sale.id, 0));
  const received = collections.data?.items.filter(({ type, status }) => type === 'Tahsilat' && status === 'Geçerli') ?? [];
  const currencies = [...new Set([sale.currency, ...received.map(({ currency }) => currency)])];
  if (currencies.length === 1) return null;
  return <ChoiceField of={of} name="refund_currency" options={currencies.map((value) => ({ value, label: value as string }))} />;
}
