import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { AdminTopupLine } from '../../../../../src/panel/admin/topups.ts';
import { call } from '../../../api.ts';
import { useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { amountToSend } from '../../../parts/form/form-amount.ts';
import { ErrorSummary, problemOf } from '../../../parts/input/error-summary.tsx';
import { Field, TextArea, TextInput } from '../../../parts/input/field.tsx';
import { Dialog } from '../../../parts/overlay/dialog.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { useFormat } from '../../../session.ts';
import { moneyTexts } from '../money-texts.ts';

export interface DecidingTopup {
  readonly topup: AdminTopupLine;
  readonly approve: boolean;
}

/** Approves with the amount typed once more, or refuses with a note. The list changes only after the server's answer. */
export function TopupDecision({ deciding, onClose }: { readonly deciding: DecidingTopup | null; readonly onClose: () => void }) {
  const t = useTexts(moneyTexts);
  const format = useFormat();
  const account = deciding?.topup.account ?? '';
  return (
    <Dialog
      open={deciding !== null}
      onClose={onClose}
      title={deciding?.approve === false ? t.rejectTitle(account) : t.approveTitle(account)}
      description={deciding && format.money(deciding.topup.amount, deciding.topup.currency)}
    >
      {deciding && <DecisionForm deciding={deciding} onClose={onClose} />}
    </Dialog>
  );
}

function DecisionForm({ deciding, onClose }: { readonly deciding: DecidingTopup; readonly onClose: () => void }) {
  const t = useTexts(moneyTexts);
  const { topup, approve } = deciding;
  const client = useQueryClient();
  const [amount, setAmount] = useState('');
  const [note, setNote] = useState('');
  const params = { account_id: topup.account_id, request_id: topup.id };
  const decide = useMutation({
    mutationFn: () =>
      approve
        ? call('POST admin/accounts/{account_id}/topups/{request_id}/approve', {
            params,
            body: { amount: amountToSend(amount), ...(note.trim() ? { note } : {}) },
          })
        : call('POST admin/accounts/{account_id}/topups/{request_id}/reject', { params, body: { note } }),
    onSuccess: ({ status }) => {
      notify({ title: !approve ? t.rejected : status === 'Beklemede' ? t.waitsForSecond : t.approved, text: topup.account });
      onClose();
    },
    // Also after a failure, because another administrator may have decided first.
    onSettled: () => client.invalidateQueries({ queryKey: ['admin'] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    decide.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 pb-2">
      <ErrorSummary error={decide.error} names={{ amount: t.amountAgain, note: t.note }} />
      {approve && (
        <Field
          id="amount"
          label={t.amountAgain}
          hint={t.amountAgainHint}
          {...(topup.needs_two && topup.first_by_name === null ? { note: t.needsTwo } : {})}
          error={problemOf(decide.error, 'amount', t.amountAgain)}
        >
          <TextInput inputMode="decimal" autoComplete="off" value={amount} onChange={setAmount} />
        </Field>
      )}
      <Field id="note" label={t.note} optional={approve} hint={t.noteHint} error={problemOf(decide.error, 'note', t.note)}>
        <TextArea value={note} onChange={setNote} maxLength={1000} />
      </Field>
      <div className="mt-1 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button
          look={approve ? 'primary' : 'danger'}
          type="submit"
          busy={decide.isPending}
          disabled={approve ? amount.trim() === '' : note.trim() === ''}
        >
          {approve ? t.approve : t.reject}
        </Button>
      </div>
    </form>
  );
}
