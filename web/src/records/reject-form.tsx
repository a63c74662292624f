// «Reddet»: an offer or a swap is refused, with a reason if one likes to give one.
import { useTexts } from '../language.ts';
import { FormLayer } from '../parts/form/form.tsx';
import { LinesField } from '../parts/form/form-fields.tsx';
import { useForm } from '../parts/form/form-state.ts';
import { dealTexts } from './network/network-texts.ts';

interface RejectFormProps {
  readonly title: string;
  readonly hint?: string;
  readonly write: {
    readonly error: unknown;
    readonly isPending: boolean;
    run(typed: { readonly reason?: string }): void;
  };
  readonly onClose: () => void;
}

export function RejectForm({ title, hint, write, onClose }: RejectFormProps) {
  const t = useTexts(dealTexts);
  const form = useForm({ reason: '' });
  const names = { reason: t.reason };
  const of = { form, error: write.error, names };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(form.values.reason.trim() === '' ? {} : { reason: form.values.reason })}
      onClose={onClose}
      title={title}
      action={t.reject}
      danger
    >
      <LinesField of={of} name="reason" rows={2} maxLength={500} optional {...(hint === undefined ? {} : { hint })} />
    </FormLayer>
  );
}
