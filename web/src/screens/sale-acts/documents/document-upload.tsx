// A scan is dropped or chosen; of a paper that was signed by hand it is the signed copy.
import { FileText, Upload } from 'lucide-react';
import { useState } from 'react';
import { DOCUMENT_KINDS } from '../../../../../src/domain/documents/documents-states.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { FormLayer } from '../../../parts/form/form.tsx';
import { ChoiceField, type FieldsOf, TextField } from '../../../parts/form/form-fields.tsx';
import { useForm } from '../../../parts/form/form-state.ts';
import { useWrite } from '../../../parts/form/form-write.ts';
import { Field } from '../../../parts/input/field.tsx';
import { FileDrop } from '../../../parts/input/file-drop.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { CustomerPicker } from '../../../records/customers/customer-picker.tsx';
import { documentWord } from '../../../records/documents/document-badge.tsx';
import { type Document, useDocumentsChanged } from '../../../records/documents/documents.ts';
import { SalePicker } from '../../../records/sales/sale-picker.tsx';
import { VehiclePicker } from '../../../records/vehicles/vehicle-picker.tsx';
import { upload } from '../../../upload.ts';
import { documentActsTexts } from './document-texts.ts';

interface UploadProps {
  /** The document that this is the signed copy of. */
  readonly signs?: Document | undefined;
  readonly saleId?: string | undefined;
  readonly file?: File | undefined;
  readonly onClose: () => void;
}

const BELONGS = ['sale_id', 'customer_id', 'vehicle_id'] as const;

const emptyScan = (saleId: string) => ({
  kind: 'Kimlik',
  title: '',
  to: 'sale_id',
  sale_id: saleId,
  customer_id: '',
  vehicle_id: '',
});
type ScanForm = ReturnType<typeof emptyScan>;

export function UploadScan({ signs, saleId = '', file: initialFile, onClose }: UploadProps) {
  const t = useTexts(documentActsTexts);
  const changed = useDocumentsChanged();
  const [file, setFile] = useState<File | null>(initialFile ?? null);
  const form = useForm(emptyScan(saleId));
  const { values } = form;
  const write = useWrite({
    send: (_: undefined, headers) => {
      const sent = new FormData();
      const fields = signs
        ? { signs_document_id: signs.id }
        : { kind: values.kind, title: values.title.trim(), [values.to]: values[values.to as (typeof BELONGS)[number]] };
      for (const [name, value] of Object.entries(fields)) if (value) sent.append(name, value);
      if (file) sent.append('file', file);
      return upload('POST v1/documents', { params: {}, form: sent, headers });
    },
    onDone: () => {
      notify({ title: t.uploaded });
      onClose();
      return changed();
    },
  });
  const names = {
    file: t.file,
    kind: t.kind,
    title: t.title,
    to: t.belongs,
    sale_id: t.sale,
    customer_id: t.customer,
    vehicle_id: t.vehicle,
  };
  const of: FieldsOf<ScanForm> = { form, error: write.error, names };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(undefined)}
      onClose={onClose}
      title={signs ? t.scan : t.upload}
      description={signs ? `${signs.title}: ${t.scanText}` : t.uploadText}
      action={signs ? t.scan : t.upload}
    >
      <Field id="file" label={t.file}>
        <ScanInput file={file} onChoose={setFile} />
      </Field>
      {!signs && <ScanFields of={of} />}
    </FormLayer>
  );
}

/** What the scan is, and the record that it belongs to. */
function ScanFields({ of }: { readonly of: FieldsOf<ScanForm> }) {
  const t = useTexts(documentActsTexts);
  const locale = useLocale();
  const { form, names } = of;
  const { values } = form;
  return (
    <>
      <ChoiceField of={of} name="kind" options={DOCUMENT_KINDS.map((value) => ({ value, label: documentWord(locale, value) }))} />
      <TextField of={of} name="title" maxLength={200} optional />
      <ChoiceField of={of} name="to" options={BELONGS.map((value) => ({ value, label: names[value] ?? value }))} />
      {values.to === 'sale_id' && (
        <SalePicker id="sale_id" label={t.sale} value={values.sale_id} onChange={(id) => form.set('sale_id', id)} />
      )}
      {values.to === 'customer_id' && (
        <CustomerPicker
          id="customer_id"
          label={t.customer}
          value={values.customer_id}
          onChange={(id) => form.set('customer_id', id)}
        />
      )}
      {values.to === 'vehicle_id' && (
        <VehiclePicker
          id="vehicle_id"
          label={t.vehicle}
          value={values.vehicle_id}
          onChange={(id) => form.set('vehicle_id', id)}
        />
      )}
    </>
  );
}

function ScanInput({ file, onChoose }: { readonly file: File | null; readonly onChoose: (file: File) => void }) {
  const t = useTexts(documentActsTexts);
  return (
    <FileDrop accept="application/pdf,image/jpeg,image/png,image/webp" onChoose={onChoose}>
      {(open) => (
        <>
          <Button icon={Upload} onClick={open}>
            {t.choose}
          </Button>
          {file === null ? (
            <span className="text-13 text-text-2">{t.drop}</span>
          ) : (
            <span className="flex min-w-0 flex-1 items-center gap-2 wrap-anywhere">
              <FileText aria-hidden className="size-4 shrink-0 text-text-3" />
              {file.name}
            </span>
          )}
        </>
      )}
    </FileDrop>
  );
}
