// A sale's paper is filled from the sale and shown at once.

import { Link } from '@tanstack/react-router';
import { Eye } from 'lucide-react';
import type { TemplateCode } from '../../../../../src/domain/documents/documents-states.ts';
import { ApiError, call } from '../../../api.ts';
import type { RawBody } from '../../../endpoints.ts';
import { useTexts } from '../../../language.ts';
import { Button, buttonLook } from '../../../parts/button.tsx';
import { useDryRun } from '../../../parts/form/dry-run.ts';
import { DryRunNote } from '../../../parts/form/dry-run-note.tsx';
import { FormLayer } from '../../../parts/form/form.tsx';
import { withoutEmpty } from '../../../parts/form/form-body.ts';
import { type FieldsOf, LinesField } from '../../../parts/form/form-fields.tsx';
import { useForm } from '../../../parts/form/form-state.ts';
import { useWrite } from '../../../parts/form/form-write.ts';
import { notify } from '../../../parts/overlay/toast.tsx';
import { type Document, openDocument, showFile, useDocumentsChanged } from '../../../records/documents/documents.ts';
import { canPreview } from '../../../records/documents/paper-store.ts';
import { documentActsTexts } from './document-texts.ts';
import { gapsOf, PaperGaps } from './paper-gaps.tsx';
import { usePaperGaps } from './paper-gaps-query.ts';

interface GenerateProps {
  readonly saleId: string;
  readonly template: { readonly id: string; readonly code: TemplateCode; readonly name: string };
  readonly onClose: () => void;
}

export function GenerateDocument({ saleId, template, onClose }: GenerateProps) {
  const gaps = gapsOf(usePaperGaps(saleId).data, template.code);
  const t = useTexts(documentActsTexts);
  const changed = useDocumentsChanged();
  const form = useForm({ note: '' });
  const write = useWrite({
    send: (typed: RawBody<'POST v1/sales/{sale_id}/sale-documents/generate'>, headers) =>
      call('POST v1/sales/{sale_id}/sale-documents/generate', {
        params: { sale_id: saleId },
        rawBody: withoutEmpty(typed),
        headers,
      }),
    onDone: (made) => {
      const seen = { title: template.name, file: made.file };
      const message = t.generated(template.name);
      onClose();
      if (made.file?.url && canPreview()) openDocument(seen, message);
      else notify({ title: message, ...(made.file?.url ? { undo: { label: t.open, run: () => openDocument(seen) } } : {}) });
      return changed();
    },
  });
  // Missing data is shown before the paper is generated.
  const check = useDryRun('generate', { template_id: template.id }, (typed, headers, signal) =>
    call('POST v1/sales/{sale_id}/sale-documents/generate', {
      params: { sale_id: saleId },
      rawBody: withoutEmpty(typed),
      headers,
      signal,
    }),
  );
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
      <DryRunNote run={check} names={names}>
        {() => (gaps?.length === 0 ? t.checked : t.checkedWithGaps)}
      </DryRunNote>
      <PaperGaps gaps={gaps} />
      <Mend saleId={saleId} code={check.error instanceof ApiError ? check.error.code : null} />
      <LinesField of={of} name="note" rows={2} maxLength={1000} optional />
    </FormLayer>
  );
}

const OF_THE_SALE = ['contract_incomplete', 'guarantor_required', 'installments_required'];

/** Where that is written which the paper lacks. */
function Mend({ saleId, code }: { readonly saleId: string; readonly code: string | null }) {
  const t = useTexts(documentActsTexts);
  if (code === 'legal_name_missing')
    return (
      <Link to="/ayarlar/hesap" className={buttonLook()}>
        {t.mendAccount}
      </Link>
    );
  if (code === null || !OF_THE_SALE.includes(code)) return null;
  return (
    <Link to="/satislar/$saleId/duzenle" params={{ saleId }} className={buttonLook()}>
      {t.mendSale}
    </Link>
  );
}

const signedCopyOf = (id: string) => call('GET v1/sale-documents/{document_id}/signed-copy', { params: { document_id: id } });

/** A tab of its own is opened before the answer, because later the browser would take it for an advertisement. */
async function openSigned({ id, title }: Opened): Promise<void> {
  if (canPreview()) openDocument({ title, file: await signedCopyOf(id) });
  else await showFile(async () => (await signedCopyOf(id)).url);
}

type Opened = Pick<Document, 'id' | 'file' | 'title' | 'status'>;

/** The signed version if there is one. Nothing for a person who sees masked data, or for an erased file. */
export function OpenDocument({ document }: { readonly document: Opened }) {
  const t = useTexts(documentActsTexts);
  if (!document.file?.url) return null;
  const open = () => (document.status === 'İmzalandı' ? void openSigned(document) : openDocument(document));
  return (
    <Button look="quiet" icon={Eye} aria-label={t.openOf(document.title)} onClick={open}>
      {t.open}
    </Button>
  );
}
