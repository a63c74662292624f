import { call } from '../../../api.ts';
import type { RawBody } from '../../../endpoints.ts';
import { useTexts } from '../../../language.ts';
import { FormLayer } from '../../../parts/form/form.tsx';
import { withoutEmpty } from '../../../parts/form/form-body.ts';
import { type FieldsOf, LinesField } from '../../../parts/form/form-fields.tsx';
import { useForm } from '../../../parts/form/form-state.ts';
import { useWrite } from '../../../parts/form/form-write.ts';
import { ConfirmDialog } from '../../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { type Document, useDocumentsChanged } from '../../../records/documents/documents.ts';
import { documentActsTexts } from './document-texts.ts';

interface EndProps {
  readonly document: Document;
  readonly onClose: () => void;
}

export function VoidDocument({ document, onClose }: EndProps) {
  const t = useTexts(documentActsTexts);
  const changed = useDocumentsChanged();
  const form = useForm({ reason: '' });
  const write = useWrite({
    send: (typed: RawBody<'POST v1/sale-documents/{document_id}/void'>, headers) =>
      call('POST v1/sale-documents/{document_id}/void', {
        params: { document_id: document.id },
        rawBody: withoutEmpty(typed),
        headers,
      }),
    onDone: () => {
      notify({ title: t.voided });
      onClose();
      return changed();
    },
  });
  const names = { reason: t.reason };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  return (
    <FormLayer
      danger
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run({ reason: form.values.reason })}
      onClose={onClose}
      title={t.voidTitle}
      description={t.voidText}
      action={t.void}
    >
      <LinesField of={of} name="reason" rows={2} maxLength={500} />
    </FormLayer>
  );
}

export function RemoveDocument({ document, onClose }: EndProps) {
  const t = useTexts(documentActsTexts);
  const changed = useDocumentsChanged();
  const write = useWrite({
    send: (_: undefined, headers) => call('DELETE v1/documents/{document_id}', { params: { document_id: document.id }, headers }),
    onDone: () => {
      notify({ title: t.removed });
      void changed();
    },
  });
  return (
    <ConfirmDialog open danger onClose={onClose} title={t.removeTitle} action={t.remove} run={() => write.runAndWait(undefined)}>
      <strong className="block font-medium wrap-anywhere">{document.title}</strong>
      {t.removeText}
    </ConfirmDialog>
  );
}
