import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ALONE_UP_TO } from '../../../../../src/domain/keys/four-eyes.ts';
import type { LimitRequestLine } from '../../../../../src/panel/admin/limits.ts';
import { call } from '../../../api.ts';
import { useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { ErrorSummary, problemOf } from '../../../parts/input/error-summary.tsx';
import { Field, NumberInput, TextArea } from '../../../parts/input/field.tsx';
import { Dialog } from '../../../parts/overlay/dialog.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { useLimitRules } from '../accounts/account-keys.tsx';
import { adminTexts } from '../texts.ts';

export interface Deciding {
  readonly request: LimitRequestLine;
  readonly approve: boolean;
}

/** Approves with a limit, or refuses with a note to the dealer. The list changes only after the server's answer. */
export function DecisionDialog({ deciding, onClose }: { readonly deciding: Deciding | null; readonly onClose: () => void }) {
  const t = useTexts(adminTexts);
  const name = deciding?.request.key_name ?? '';
  const title = deciding?.approve === false ? t.refuseTitle(name) : t.approveTitle(name);
  return (
    <Dialog open={deciding !== null} onClose={onClose} title={title} description={deciding?.request.account}>
      {deciding && <DecisionForm deciding={deciding} onClose={onClose} />}
    </Dialog>
  );
}

function DecisionForm({ deciding, onClose }: { readonly deciding: Deciding; readonly onClose: () => void }) {
  const t = useTexts(adminTexts);
  const { request, approve } = deciding;
  const client = useQueryClient();
  const { four_eyes } = useLimitRules();
  const [perMinute, setPerMinute] = useState(String(request.first_per_minute ?? request.asked_per_minute));
  const [note, setNote] = useState('');
  const params = { request_id: request.id };
  const decide = useMutation({
    mutationFn: () =>
      approve
        ? call('POST admin/limit-requests/{request_id}/approve', {
            params,
            body: { per_minute: Number(perMinute), ...(note.trim() ? { note } : {}) },
          })
        : call('POST admin/limit-requests/{request_id}/refuse', { params, body: { note } }),
    onSuccess: ({ status }) => {
      const granted = status === 'pending' ? t.waitsForSecond : t.approved(Number(perMinute));
      notify({ title: approve ? granted : t.refused, text: request.key_name });
      onClose();
    },
    // Also after a failure, because another administrator may have decided first.
    onSettled: () => client.invalidateQueries({ queryKey: ['admin', 'limit-requests'] }),
  });
  const high = approve && four_eyes && Number(perMinute) > ALONE_UP_TO;
  const isSecond = request.first_per_minute === Number(perMinute);
  const barred = high && isSecond && !request.may_be_second;
  const hint = barred ? t.second : high && !isSecond ? t.fourEyesHint : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    decide.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 pb-2">
      <ErrorSummary error={decide.error} names={{ per_minute: t.perMinute, note: t.note }} />
      {approve && (
        <Field
          id="per_minute"
          label={t.perMinute}
          hint={t.perMinuteHint}
          {...(hint === undefined ? {} : { note: hint })}
          error={problemOf(decide.error, 'per_minute', t.perMinute)}
        >
          <NumberInput value={perMinute} onChange={setPerMinute} maxLength={7} />
        </Field>
      )}
      <Field
        id="note"
        label={t.note}
        optional={approve}
        hint={approve ? t.noteHint : t.refuseHint}
        error={problemOf(decide.error, 'note', t.note)}
      >
        <TextArea value={note} onChange={setNote} maxLength={1000} />
      </Field>
      <div className="mt-1 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button
          look={approve ? 'primary' : 'danger'}
          type="submit"
          busy={decide.isPending}
          disabled={barred || (approve ? perMinute === '' : note.trim() === '')}
        >
          {approve ? t.approve : t.refuse}
        </Button>
      </div>
    </form>
  );
}
