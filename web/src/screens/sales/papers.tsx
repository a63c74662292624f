// The papers that a sale should have and their state, its promissory notes, and other files of the sale.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Circle, CircleCheck, CircleDashed, FilePlus2, Printer, ReceiptText } from 'lucide-react';
import { useState } from 'react';
import type { Template } from '../../../../src/domain/documents/document-templates.ts';
import {
  isLive as isLiveDocument,
  isRequiredPaper,
  type SaleDocumentStatus,
} from '../../../../src/domain/documents/documents-states.ts';
import { isLive as isLiveNote } from '../../../../src/domain/installments/note-states.ts';
import { call } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { DocumentBadge, documentWord } from '../../records/documents/document-badge.tsx';
import { type Document, saleDocumentsQuery, templatesQuery } from '../../records/documents/documents.ts';
import { useMayPrint } from '../../records/documents/papers.tsx';
import { type PromissoryNote, saleNotesQuery } from '../../records/sales/notes.ts';
import type { Installment, PlanWithInstallments, SaleDetail } from '../../records/sales/sales.ts';
import { useFormat } from '../../session.ts';
import { DocumentActs } from '../sale-acts/documents/document-acts.tsx';
import { ScanDrop } from '../sale-acts/documents/document-drop.tsx';
import { GenerateDocument, OpenDocument } from '../sale-acts/documents/document-generate.tsx';
import { documentActsTexts } from '../sale-acts/documents/document-texts.ts';
import { IssueNotes } from '../sale-acts/notes/note-issue.tsx';
import { PrintNotes } from '../sale-acts/notes/note-print.tsx';
import { noteActsTexts } from '../sale-acts/notes/note-texts.ts';
import { papersTexts } from './papers-texts.ts';

interface PapersProps {
  readonly sale: SaleDetail;
  readonly plan: PlanWithInstallments | undefined;
}

const isLive = ({ status, superseded_at }: Document): boolean =>
  status !== null && isLiveDocument(status as SaleDocumentStatus) && superseded_at === null;

export function SalePapers({ sale, plan }: PapersProps) {
  const t = useTexts(papersTexts);
  const templates = useQuery(templatesQuery);
  const documents = useQuery(saleDocumentsQuery(sale.id));
  const found = documents.data?.items ?? [];
  const required = (templates.data?.items ?? []).filter(({ code }) => isRequiredPaper(code, sale));
  const liveOf = (template: Template) => found.find((one) => one.template_id === template.id && isLive(one));
  const missing = required.filter((template) => liveOf(template) === undefined).length;
  const unsigned = required.filter(
    (template) => ![undefined, 'İmzalandı'].includes(liveOf(template)?.status ?? undefined),
  ).length;
  const shown = new Set(required.flatMap((template) => liveOf(template)?.id ?? []));
  return (
    <section aria-label={t.papers} className="card min-w-0 p-4">
      <h2 className="m-0 mb-2 flex flex-wrap items-baseline gap-x-2 text-14 font-semibold">
        {t.papers}
        {documents.data && templates.data && sale.status !== 'İptal' && (
          <span className="text-13 font-normal text-text-2">
            {[missing > 0 && t.missing(missing), unsigned > 0 && t.unsigned(unsigned)].filter(Boolean).join(' · ') || t.complete}
          </span>
        )}
      </h2>
      <Loaded query={templates} rows={4}>
        {() => (
          <Loaded query={documents} rows={4}>
            {() => (
              <ScanDrop documents={found} saleId={sale.id}>
                <ul className="m-0 list-none divide-y divide-line p-0">
                  {required.map((template) => (
                    <PaperLine key={template.id} sale={sale} template={template} document={liveOf(template)} />
                  ))}
                  <NotesLine sale={sale} plan={plan} />
                </ul>
                <Others documents={found.filter(({ id }) => !shown.has(id))} />
              </ScanDrop>
            )}
          </Loaded>
        )}
      </Loaded>
    </section>
  );
}

interface PaperLineProps {
  readonly sale: SaleDetail;
  readonly template: Template;
  readonly document: Document | undefined;
}

function PaperLine({ sale, template, document }: PaperLineProps) {
  const t = useTexts(papersTexts);
  const a = useTexts(documentActsTexts);
  const locale = useLocale();
  const may = useMay('documents:write') && sale.status !== 'İptal';
  const day = useFormat().date;
  const [isOpen, setOpen] = useState(false);
  const status = document?.status ?? null;
  const Icon = status === 'İmzalandı' ? CircleCheck : status === null ? CircleDashed : Circle;
  const name = documentWord(locale, template.kind);
  const signing =
    document?.completed_at && document.signature_method
      ? (document.signature_method === 'Islak' ? t.signedInk : t.signedLink)(day(document.completed_at))
      : (document?.signature ?? template.signature) === 'Islak'
        ? t.inkOnly
        : t.inkOrLink;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 first:pt-0">
      <Icon aria-hidden className={status === 'İmzalandı' ? 'size-4 shrink-0 text-live' : 'size-4 shrink-0 text-text-3'} />
      <span className="min-w-0 flex-1 basis-48" data-document={document?.id}>
        <span className="block font-medium">{name}</span>
        <span className="block text-12 text-text-2">
          {status === null ? t.isMissing : t.version(document?.version ?? 1)} · {signing}
        </span>
      </span>
      {status !== null && <DocumentBadge status={status} />}
      <span className="flex flex-wrap items-center gap-1">
        {document && <OpenDocument document={document} />}
        {document && <DocumentActs document={document} />}
        {may && (status === null || status === 'Taslak') && (
          <Button
            look={status === null ? 'secondary' : 'quiet'}
            icon={FilePlus2}
            aria-label={`${status === null ? a.generate : a.generateAgain}: ${name}`}
            onClick={() => setOpen(true)}
          >
            {status === null ? a.generate : a.generateAgain}
          </Button>
        )}
      </span>
      {isOpen && (
        <GenerateDocument
          saleId={sale.id}
          template={{ id: template.id, code: template.code, name }}
          onClose={() => setOpen(false)}
        />
      )}
    </li>
  );
}

const hasNoNote = ({ seq, status, promissory_note_id }: Installment): boolean =>
  seq > 0 && (status === 'Bekliyor' || status === 'Kısmi Ödendi') && promissory_note_id === null;

/** Notes secure the installments of a plan; a sale without installments has none. */
function NotesLine({ sale, plan }: PapersProps) {
  const t = useTexts(papersTexts);
  const a = useTexts(noteActsTexts);
  const sees = useMay('promissory-notes:read');
  const may = useMay('promissory-notes:write') && sale.status === 'Aktif';
  const mayPrint = useMayPrint();
  const [open, setOpen] = useState<'issue' | readonly PromissoryNote[] | null>(null);
  const notes = useQuery({ ...saleNotesQuery(sale.id), enabled: sees });
  const account = useQuery({ queryKey: ['account'], queryFn: ({ signal }) => call('GET v1/account', { signal }), enabled: may });
  const live = notes.data?.items.filter(({ status }) => isLiveNote(status)) ?? [];
  const without = plan?.installments.filter(hasNoNote).length ?? 0;
  if (!sees || sale.payment_type !== 'Taksitli' || (live.length === 0 && without === 0)) return null;
  const printed = live.filter(({ printed_at }) => printed_at !== null).length;
  const Icon =
    live.length > 0 && without === 0 && printed === live.length ? CircleCheck : live.length === 0 ? CircleDashed : Circle;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <Icon aria-hidden className={Icon === CircleCheck ? 'size-4 shrink-0 text-live' : 'size-4 shrink-0 text-text-3'} />
      <span className="min-w-0 flex-1 basis-48">
        <span className="block font-medium">{t.notes}</span>
        <span className="block text-12 text-text-2">
          {live.length === 0 ? t.notesNone(without) : t.notesSome(live.length, printed)}
          {live.length > 0 && without > 0 && ` · ${t.notesWithout(without)}`}
        </span>
      </span>
      <span className="flex flex-wrap items-center gap-1">
        {live.length > 0 && (
          <Link to="/senetler" search={{ sale_id: sale.id }} className="link px-2 text-13">
            {t.allNotes}
          </Link>
        )}
        {mayPrint && live.length > 0 && (
          <Button look="quiet" icon={Printer} onClick={() => setOpen(live)}>
            {a.print}
          </Button>
        )}
        {may && without > 0 && (
          <Button icon={ReceiptText} onClick={() => setOpen('issue')}>
            {a.issue}
          </Button>
        )}
      </span>
      {open === 'issue' && (
        <IssueNotes saleId={sale.id} place={account.data?.city ?? ''} onIssued={setOpen} onClose={() => setOpen(null)} />
      )}
      {open !== null && open !== 'issue' && <PrintNotes notes={open} onClose={() => setOpen(null)} />}
    </li>
  );
}

/** Scans, former versions, what was declined or voided. */
function Others({ documents }: { readonly documents: readonly Document[] }) {
  const t = useTexts(papersTexts);
  const locale = useLocale();
  if (documents.length === 0) return null;
  return (
    <details className="mt-2 border-t border-line pt-2">
      <summary className="cursor-pointer py-1 text-13 font-medium text-text-2">
        {t.others} ({documents.length})
      </summary>
      <ul className="m-0 list-none divide-y divide-line p-0">
        {documents.map((document) => (
          <li key={document.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <span className="min-w-0 flex-1 basis-48">
              <span className="block wrap-anywhere">{document.title}</span>
              <span className="block text-12 text-text-2">
                {documentWord(locale, document.origin)} · <DateTime at={document.created_at} />
                {document.void_reason && ` · ${document.void_reason}`}
              </span>
            </span>
            {document.status && <DocumentBadge status={document.status} />}
            <OpenDocument document={document} />
            <DocumentActs document={document} />
          </li>
        ))}
      </ul>
    </details>
  );
}
