// A scan dropped onto a list: on a paper that waits for ink it is that paper's signed copy, anywhere else a scan of its own.
import { type DragEvent, lazy, type ReactNode, Suspense, useState } from 'react';
import { isOpen } from '../../../../../src/domain/documents/documents-states.ts';
import { useTexts } from '../../../language.ts';
import { cx } from '../../../parts/cx.ts';
import { useMay } from '../../../permissions.ts';
import type { Document } from '../../../records/documents/documents.ts';
import { documentActsTexts } from './document-texts.ts';

const UploadScan = lazy(async () => ({ default: (await import('./document-upload.tsx')).UploadScan }));

interface DropProps {
  readonly documents: readonly Document[];
  readonly saleId?: string | undefined;
  readonly children: ReactNode;
}

const waitsForInk = ({ status, superseded_at }: Document): boolean => status !== null && isOpen(status) && superseded_at === null;

/** The line under the pointer: each names its document with `data-document`. */
const lineAt = (target: EventTarget): string | undefined =>
  target instanceof Element
    ? target.closest('tr, li')?.querySelector<HTMLElement>('[data-document]')?.dataset.document
    : undefined;

export function ScanDrop({ documents, saleId, children }: DropProps) {
  const t = useTexts(documentActsTexts);
  const may = useMay('documents:write');
  const [over, setOver] = useState<{ readonly on: Document | undefined } | null>(null);
  const [dropped, setDropped] = useState<{ readonly file: File; readonly on: Document | undefined } | null>(null);
  const on = (event: DragEvent) => documents.find((one) => one.id === lineAt(event.target) && waitsForInk(one));
  if (!may) return children;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the menus do the same
    <div
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        const found = on(event);
        if (over === null || over.on?.id !== found?.id) setOver({ on: found });
      }}
      onDragLeave={(event) => !event.currentTarget.contains(event.relatedTarget as Node | null) && setOver(null)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(null);
        const [file] = event.dataTransfer.files;
        if (file) setDropped({ file, on: on(event) });
      }}
      className={cx('relative rounded-card', over && 'outline-2 outline-dashed outline-[var(--accent)]')}
    >
      {children}
      {over && (
        <p
          role="status"
          className="pointer-events-none sticky bottom-3 z-20 mx-auto mt-2 mb-0 w-fit rounded-control bg-accent px-3 py-2 text-13 font-medium text-on-accent shadow-pop"
        >
          {over.on ? t.dropSigned(over.on.title) : t.dropScan}
        </p>
      )}
      {dropped && (
        <Suspense fallback={null}>
          <UploadScan signs={dropped.on} saleId={saleId} file={dropped.file} onClose={() => setDropped(null)} />
        </Suspense>
      )}
    </div>
  );
}
