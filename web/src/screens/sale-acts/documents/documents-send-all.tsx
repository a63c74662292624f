// Sends every draft of a sale that may be approved by link, in one act.
import { useState } from 'react';
import { OFFERED_CHANNELS } from '../../../../../src/domain/documents/documents-states.ts';
import type { SentPapers } from '../../../../../src/domain/documents/generated/prepared-papers.ts';
import { call } from '../../../api.ts';
import type { RawBody } from '../../../endpoints.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { FormLayer } from '../../../parts/form/form.tsx';
import { ChoiceField, type FieldsOf } from '../../../parts/form/form-fields.tsx';
import { useForm } from '../../../parts/form/form-state.ts';
import { useWrite } from '../../../parts/form/form-write.ts';
import { Dialog } from '../../../parts/overlay/dialog.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { documentWord } from '../../../records/documents/document-badge.tsx';
import { useDocumentsChanged } from '../../../records/documents/documents.ts';
import { SigningLinks } from './document-send.tsx';
import { documentActsTexts } from './document-texts.ts';

export function SendAll({ saleId, onClose }: { readonly saleId: string; readonly onClose: () => void }) {
  const t = useTexts(documentActsTexts);
  const locale = useLocale();
  const changed = useDocumentsChanged();
  const [sent, setSent] = useState<SentPapers | null>(null);
  const form = useForm({ channel: 'Bağlantı' });
  const write = useWrite({
    send: (rawBody: RawBody<'POST sales/{sale_id}/papers/send'>, headers) =>
      call('POST sales/{sale_id}/papers/send', { params: { sale_id: saleId }, rawBody, headers }),
    onDone: (done) => {
      if (done.sent.length > 0) notify({ title: t.sent });
      if (done.links.length === 0 && done.refused.length === 0) onClose();
      else setSent(done);
      return changed();
    },
  });
  if (sent !== null) return <Sent sent={sent} onClose={onClose} />;
  const names = { channel: t.channel };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run({ channel: form.values.channel })}
      onClose={onClose}
      title={t.send}
      description={t.sendText}
      action={t.sendNow}
    >
      <ChoiceField
        of={of}
        name="channel"
        options={OFFERED_CHANNELS.map((value) => ({ value, label: documentWord(locale, value) }))}
      />
    </FormLayer>
  );
}

function Sent({ sent: { links, refused }, onClose }: { readonly sent: SentPapers; readonly onClose: () => void }) {
  const t = useTexts(documentActsTexts);
  const footer = (
    <Button look="primary" onClick={onClose}>
      {t.done}
    </Button>
  );
  return (
    <Dialog open onClose={onClose} title={t.links} description={t.linksText} footer={footer}>
      {refused.map(({ title, message }) => (
        <p key={title} role="alert" className="m-0 mb-2 text-13 text-danger">
          {title}: {message}
        </p>
      ))}
      <SigningLinks links={links} />
    </Dialog>
  );
}
