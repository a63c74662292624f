// A form with one field: why a record is reversed, or a day opened again.
import { FormLayer } from '../parts/form/form.tsx';
import { withoutEmpty } from '../parts/form/form-body.ts';
import { type FieldsOf, LinesField } from '../parts/form/form-fields.tsx';
import { useForm } from '../parts/form/form-state.ts';
import { useWrite } from '../parts/form/form-write.ts';

interface TypedReason {
  readonly reason?: string;
}

interface ReasonLayerProps {
  readonly title: string;
  readonly description: string;
  readonly action: string;
  /** The label of the field. */
  readonly label: string;
  readonly send: (typed: TypedReason, headers: Readonly<Record<string, string>>) => Promise<unknown>;
  readonly onDone: () => unknown;
  readonly onClose: () => void;
}

export function ReasonLayer({ title, description, action, label, send, onDone, onClose }: ReasonLayerProps) {
  const form = useForm({ reason: '' });
  const write = useWrite({
    send: (typed: TypedReason, headers) => send(withoutEmpty(typed), headers),
    onDone: () => {
      onClose();
      return onDone();
    },
  });
  const names = { reason: label };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run({ reason: form.values.reason })}
      onClose={onClose}
      title={title}
      description={description}
      action={action}
    >
      <LinesField of={of} name="reason" rows={2} maxLength={500} />
    </FormLayer>
  );
}
