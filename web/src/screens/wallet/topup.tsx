// Asks for a top-up, and sends its receipt after it.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { isSandbox } from '../../environment.ts';
import { useTexts } from '../../language.ts';
import { FormLayer } from '../../parts/form/form.tsx';
import { amountOf, amountToSend } from '../../parts/form/form-amount.ts';
import { withoutEmpty } from '../../parts/form/form-body.ts';
import { type FieldsOf, LinesField, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { Field } from '../../parts/input/field.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { SandboxRule } from '../../records/sandbox/sandbox-rule.tsx';
import { BankAccounts, newTransferCode } from './bank-accounts.tsx';
import { MAX_RECEIPT_BYTES, ReceiptInput } from './receipt-input.tsx';
import { sendReceipt } from './send-receipt.ts';
import { walletTexts } from './texts.ts';

export function Topup({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(walletTexts);
  const client = useQueryClient();
  const [code] = useState(newTransferCode);
  const form = useForm({ amount: '', reference: code, note: '' });
  const [file, setFile] = useState<File | null>(null);
  const isTooLarge = file !== null && file.size > MAX_RECEIPT_BYTES;
  const write = useWrite({
    send: (typed: RawBody<'POST v1/wallet/topup-requests'>, headers) =>
      call('POST v1/wallet/topup-requests', { rawBody: withoutEmpty(typed), headers }),
    // The request is valid without its receipt, which can be added later.
    onDone: async ({ id }) => {
      const isSent = file === null || (await sendReceipt(id, file).catch(() => false));
      notify(isSent ? { title: t.sent } : { title: t.sentWithout, failed: true });
      form.release();
      onClose();
      await client.invalidateQueries({ queryKey: ['wallet'] });
    },
  });
  const names = { amount: t.amount, reference: t.reference, note: t.note };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  const { amount, reference, note } = form.values;
  const submit = () => {
    if (isTooLarge) return;
    write.run({
      amount: amountToSend(amount),
      ...(reference.trim() === '' ? {} : { reference }),
      ...(note.trim() === '' ? {} : { note }),
    });
  };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={submit}
      onClose={onClose}
      title={t.topup}
      description={isSandbox() ? t.topupSandboxText : t.topupText}
      action={t.send}
    >
      <TextField of={of} name="amount" inputMode="decimal" autoFocus />
      <SandboxRule endpoint="POST wallet/topup-requests" field="amount" value={amountOf(amount)} />
      {!isSandbox() && <BankAccounts code={code} />}
      <TextField of={of} name="reference" optional maxLength={120} hint={t.referenceHint} />
      <Field label={t.receipt} optional hint={t.receiptHint} error={isTooLarge ? t.tooLarge : undefined}>
        <ReceiptInput file={file} onChoose={setFile} />
      </Field>
      <LinesField of={of} name="note" optional rows={2} maxLength={2000} />
    </FormLayer>
  );
}
