// Deposits that are still open on a car or of a customer, and what becomes of one whose reservation is over.
import { useQuery } from '@tanstack/react-query';
import { HandCoins } from 'lucide-react';
import { useState } from 'react';
import { DISPOSITIONS } from '../../../../src/domain/installments/sales-states.ts';
import type { OpenDepositView } from '../../../../src/domain/receivables/open-deposits.ts';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { FormLayer } from '../../parts/form/form.tsx';
import { ChoiceField, type FieldsOf } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { notify } from '../../parts/overlay/toast.tsx';
import { Day, Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { useFormat } from '../../session.ts';
import { CustomerName } from '../customers/customer-name.tsx';
import { PaperLink, useMayPrint } from '../documents/papers.tsx';
import { receiptAddress, receiptTexts } from '../documents/receipts.tsx';
import { VehicleName } from '../vehicles/vehicle-name.tsx';
import { openDepositTexts } from './open-deposit-texts.ts';
import { saleWord } from './sale-texts.ts';
import { useSalesChanged } from './sales.ts';

type Of = { readonly vehicle_id: string } | { readonly customer_id: string };

/** On the page of a car: one that is still held is decided on with its reservation and not shown here. */
export function OpenDeposits({ of }: { readonly of: Of }) {
  const t = useTexts(openDepositTexts);
  const may = useMay('collections:read');
  const mayClose = useMay('vehicles:write');
  const mayPrint = useMayPrint();
  const r = useTexts(receiptTexts);
  const [closing, setClosing] = useState<OpenDepositView | null>(null);
  const deposits = useQuery({
    queryKey: ['receivables', 'open-deposits', of],
    queryFn: ({ signal }) => call('GET receivables/open-deposits', { query: { ...of }, signal }),
    enabled: may,
  });
  const shown = (deposits.data ?? []).filter(({ is_held }) => 'customer_id' in of || !is_held);
  if (shown.length === 0) return null;
  return (
    <>
      {shown.map((deposit) => (
        <section
          key={deposit.collection_id}
          aria-label={t.title}
          className="card mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3"
        >
          <HandCoins aria-hidden className="size-4 shrink-0 text-write" />
          <p className="m-0 min-w-0 flex-1 basis-60 [&_a]:underline">
            <strong className="font-medium">
              {t.title}: <Money amount={deposit.amount} currency={deposit.currency} />
            </strong>{' '}
            · {'customer_id' in of ? <VehicleName id={deposit.vehicle_id} /> : <CustomerName id={deposit.customer_id} />} ·{' '}
            <Day day={deposit.collected_on} />. {deposit.is_held ? t.held : t.over}
          </p>
          {mayPrint && (
            <PaperLink look="quiet" title={r.receipt} href={receiptAddress(deposit.collection_id)}>
              {r.receipt}
            </PaperLink>
          )}
          {!deposit.is_held && mayClose && <Button onClick={() => setClosing(deposit)}>{t.close}</Button>}
        </section>
      ))}
      {closing && <CloseDeposit deposit={closing} onClose={() => setClosing(null)} />}
    </>
  );
}

const INITIAL = { deposit_disposition: '' };

function CloseDeposit({ deposit, onClose }: { readonly deposit: OpenDepositView; readonly onClose: () => void }) {
  const t = useTexts(openDepositTexts);
  const locale = useLocale();
  const { money } = useFormat();
  const changed = useSalesChanged();
  const form = useForm(INITIAL);
  const write = useWrite({
    send: (typed: RawBody<'PATCH v1/vehicles/{vehicle_id}'>, headers) =>
      call('PATCH v1/vehicles/{vehicle_id}', { params: { vehicle_id: deposit.vehicle_id }, rawBody: typed, headers }),
    onDone: () => {
      notify({ title: form.values.deposit_disposition === 'iade' ? t.givenBack : t.kept });
      onClose();
      return changed();
    },
  });
  const names = { deposit_disposition: t.what };
  const of: FieldsOf<typeof INITIAL> = { form, error: write.error, names };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      // Without a choice the server says that one is needed: a deposit is never left as it is by this form.
      onSubmit={() => write.run({ deposit_disposition: form.values.deposit_disposition })}
      onClose={onClose}
      title={t.close}
      description={t.text(money(deposit.amount, deposit.currency), deposit.receipt_no)}
      action={t.close}
    >
      <ChoiceField
        of={of}
        name="deposit_disposition"
        options={[{ value: '', label: t.choose }, ...DISPOSITIONS.map((value) => ({ value, label: saleWord(locale, value) }))]}
      />
    </FormLayer>
  );
}
