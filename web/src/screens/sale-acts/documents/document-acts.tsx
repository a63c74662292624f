// What may be done with a document after it was made: sent for signature, signed on paper, opened as it was before, voided, deleted.
import { Ban, FileText, KeyRound, Send, Trash2, Upload } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { isOpen, isOut } from '../../../../../src/domain/documents/documents-states.ts';
import { useTexts } from '../../../language.ts';
import { Menu, MenuItem } from '../../../parts/overlay/menu.tsx';
import { RowMenuButton } from '../../../parts/overlay/row-menu-button.tsx';
import { useMay } from '../../../permissions.ts';
import { type Document, openDocument } from '../../../records/documents/documents.ts';
import { useMayPrint } from '../../../records/documents/papers.tsx';
import { documentActsTexts } from './document-texts.ts';

const SendDocument = lazy(async () => ({ default: (await import('./document-send.tsx')).SendDocument }));
const SigningCodes = lazy(async () => ({ default: (await import('./document-send.tsx')).SigningCodes }));
const UploadScan = lazy(async () => ({ default: (await import('./document-upload.tsx')).UploadScan }));
const VoidDocument = lazy(async () => ({ default: (await import('./document-end.tsx')).VoidDocument }));
const RemoveDocument = lazy(async () => ({ default: (await import('./document-end.tsx')).RemoveDocument }));

type Act = 'send' | 'codes' | 'scan' | 'void' | 'remove';

/** Nothing where nothing can be done. */
export function DocumentActs({ document }: { readonly document: Document }) {
  const t = useTexts(documentActsTexts);
  const may = useMay('documents:write');
  const mayEnd = useMay('documents:write', 'destructive');
  const mayOpen = useMayPrint();
  const [open, setOpen] = useState<Act | null>(null);
  const { origin, status, signature, superseded_at, signs_document_id } = document;
  const close = () => setOpen(null);
  const acts = [
    ...(may && status !== null && isOpen(status) && superseded_at === null
      ? [
          ...(signature === 'İkisi'
            ? [{ icon: Send, label: isOut(status) ? t.remind : t.send, run: () => setOpen('send') }]
            : []),
          ...(isOut(status) ? [{ icon: KeyRound, label: t.codes, run: () => setOpen('codes') }] : []),
          { icon: Upload, label: t.scan, run: () => setOpen('scan') },
        ]
      : []),
    ...(status === 'İmzalandı' && mayOpen ? [{ icon: FileText, label: t.unsigned, run: () => openDocument(document) }] : []),
    ...(mayEnd && status !== null && status !== 'İmzalandı' && status !== 'İptal'
      ? [{ icon: Ban, label: t.void, run: () => setOpen('void'), danger: true }]
      : []),
    ...(mayEnd && origin === 'Yüklendi' && signs_document_id === null
      ? [{ icon: Trash2, label: t.remove, run: () => setOpen('remove'), danger: true }]
      : []),
  ];
  if (acts.length === 0) return null;
  return (
    <>
      <Menu trigger={<RowMenuButton label={t.acts(document.title)} />}>
        {acts.map(({ icon, label, run, ...look }) => (
          <MenuItem key={label} icon={icon} onSelect={run} {...look}>
            {label}
          </MenuItem>
        ))}
      </Menu>
      <Suspense fallback={null}>
        {open === 'send' && <SendDocument document={document} onClose={close} />}
        {open === 'codes' && <SigningCodes document={document} onClose={close} />}
        {open === 'scan' && <UploadScan signs={document} onClose={close} />}
        {open === 'void' && <VoidDocument document={document} onClose={close} />}
        {open === 'remove' && <RemoveDocument document={document} onClose={close} />}
      </Suspense>
    </>
  );
}
