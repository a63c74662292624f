// A counter-offer to a consumer's offer: recorded in the history, and sent by the dealer.
import { useState } from 'react';
import type { EnquiryDetail } from '../../../../src/domain/enquiries/enquiry-list.ts';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { amountToSend } from '../../parts/form/form-amount.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { ErrorSummary, problemOf } from '../../parts/input/error-summary.tsx';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { OutsideLink } from '../../parts/outside-link.tsx';
import { enquiriesTexts } from '../../records/enquiries/enquiries-texts.ts';
import { useEnquiryChanged } from './changed.ts';

export function CounterOffer({ enquiry }: { readonly enquiry: EnquiryDetail }) {
  const t = useTexts(enquiriesTexts);
  const changed = useEnquiryChanged();
  const [amount, setAmount] = useState('');
  const write = useWrite({
    send: (body: RawBody<'POST enquiries/{enquiry_id}/counter'>, headers) =>
      call('POST enquiries/{enquiry_id}/counter', { params: { enquiry_id: enquiry.id }, rawBody: body, headers }),
    onDone: changed,
  });
  const sent = enquiry.entries.find(({ kind }) => kind === 'counter');
  const { phone, vehicle } = enquiry;
  return (
    <form
      noValidate
      className="card flex flex-col gap-3 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        write.run({ amount: amountToSend(amount) });
      }}
    >
      <ErrorSummary error={write.error} names={{ amount: t.counter }} />
      <Field
        id="amount"
        label={`${t.counter} (${enquiry.offer!.currency})`}
        hint={t.counterHint}
        error={problemOf(write.error, 'amount', t.counter)}
      >
        <TextInput inputMode="decimal" value={amount} maxLength={20} onChange={setAmount} />
      </Field>
      <span className="flex flex-wrap gap-2">
        <Button type="submit" busy={write.isPending} disabled={amount.trim() === ''}>
          {t.counter}
        </Button>
        {sent?.value && phone !== null && (
          <OutsideLink
            to={{ phone, message: t.counterText(sent.value, vehicle ?? '') }}
            inSandbox="nothing"
            className={buttonLook('primary')}
          >
            {t.send}
          </OutsideLink>
        )}
      </span>
    </form>
  );
}
