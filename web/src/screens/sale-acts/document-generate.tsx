// A sale's paper is filled from the sale and shown at once.
import { Eye } from 'lucide-react';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { FormLayer } from '../../parts/form/form.tsx';
import { type FieldsOf, LinesField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { notify } from '../../parts/toast.tsx';
import { type Document, showFile, useDocumentsChanged } from '../../records/documents.ts';
import type { TypedBody } from '../../rows.ts';
import { documentActsTexts } from './document-texts.ts';

interface GenerateProps {
  readonly saleId: string;
  readonly template: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
}

export function GenerateDocument({ saleId, template, onClose }: GenerateProps) {
  const t = useTexts(documentActsTexts);
  const changed = useDocumentsChanged();
  const form = useForm({ note: '' });
  const write = useWrite({
    send: (typed: TypedBody<'POST v1/sales/{sale_id}/sale-documents/generate'>, headers) =>
      call('POST v1/sales/{sale_id}/sale-documents/generate', { params: { sale_id: saleId }, typed, headers }),
    onDone: ({ file }) => {
      const url = file?.url;
      notify({
        title: t.generated(template.name),
        ...(url ? { undo: { label: t.open, run: () => void showFile(url) } } : {}),
      });
      onClose();
      return changed();
    },
  });
  const names = { note: t.note };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  const { note } = form.values;
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run({ template_id: template.id, ...(note.trim() === '' ? {} : { note }) })}
      onClose={onClose}
      title={t.generateTitle(template.name)}
      description={t.generateText}
      action={t.generate}
    >
      <LinesField of={of} name="note" rows={2} maxLength={1000} optional />
    </FormLayer>
  );
}

/** Nothing for whoever sees people masked, and of a file that was erased. */
export function OpenDocument({ document }: { readonly document: Pick<Document, 'file' | 'title'> }) {
  const t = useTexts(documentActsTexts);
  const url = document.file?.url;
  if (!url) return null;
  return (
    <Button look="quiet" icon={Eye} aria-label={t.openOf(document.title)} onClick={() => void showFile(url)}>
      {t.open}
    </Button>
  );
}
