// Uploaded scans and the sale documents generated for signature. A file is read through a signed link that is valid for 15
// minutes, so no endpoint here has an ETag; papers contain personal data, so each download is audited.
import {
  DOCUMENT_FIELDS,
  Document,
  DocumentFile,
  findDocument,
  listDocuments,
  listSaleDocuments,
  SaleDocument,
  shownDocument,
  shownSaleDocument,
} from '../domain/documents/document.ts';
import { DocumentEvent, listDocumentEvents } from '../domain/documents/document-events.ts';
import { listTemplates, Template } from '../domain/documents/document-templates.ts';
import { DOCUMENT_KINDS, DOCUMENT_ORIGINS, SALE_DOCUMENT_STATUSES } from '../domain/documents/documents-states.ts';
import { GENERATE_FIELDS, generateDocument } from '../domain/documents/generated/sale-document-generate.ts';
import { VOID_FIELDS, voidSaleDocument } from '../domain/documents/generated/sale-document-void.ts';
import { readPaperDealer } from '../domain/documents/sale-paper.ts';
import { MAX_SCAN_BYTES, storeScan } from '../domain/documents/scan.ts';
import { SEND_FIELDS } from '../domain/documents/signing/recipients.ts';
import { SentDocument, sendDocument } from '../domain/documents/signing/sale-document-send.ts';
import { readSignedCopy } from '../domain/documents/signing/signed-copy.ts';
import { addScan, removeDocument } from '../domain/documents/uploaded/document-writes.ts';
import { createBody } from '../domain/records/body.ts';
import { del, get, post, resource } from '../kit/endpoint.ts';
import { oneOfParam, trueParam, uuidParam } from '../kit/params.ts';

export const documents = resource('Documents', 'Belgeler', [
  get('documents', 'documents:read', 'read', 'Yakında', ['List documents', 'Belgeleri listele'], {
    about: [
      'Returns uploaded and generated documents, newest first. File links are signed and valid for 15 minutes.',
      'Yüklenen ve üretilen belgeler, en yenisi önce. Dosya bağlantıları imzalıdır ve 15 dakika geçerlidir.',
    ],
    query: {
      customer_id: uuidParam,
      sale_id: uuidParam,
      vehicle_id: uuidParam,
      kind: oneOfParam(DOCUMENT_KINDS),
      origin: oneOfParam(DOCUMENT_ORIGINS),
      deleted: trueParam,
    },
    lists: Document,
    synced: true,
    fresh: true,
    run: ({ db, query, page, linkTo, masked }) => listDocuments(db, query, page, { linkTo, masked }),
  }),
  post('documents', 'documents:write', 'write', 'Yakında', ['Upload a document', 'Belge yükle'], {
    about: [
      'Uploads a scan (PDF, JPEG, PNG or WebP, at most 10 MB, stored unchanged) for a customer, a sale or a vehicle. With `signs_document_id` it is the signed copy of that sale document, which becomes «İmzalandı».',
      'Bir müşteri, satış ya da araç için tarama yükler (PDF, JPEG, PNG ya da WebP; en çok 10 MB; olduğu gibi saklanır). `signs_document_id` verilirse o satış belgesinin imzalı nüshası olur ve belge «İmzalandı» olur.',
    ],
    refuses: ['unknown_reference', 'no_link', 'unsupported_file', 'invalid_transition'],
    emits: ['document.created', 'sale_document.signed', 'sale_document.completed'],
    upload: { maxBytes: MAX_SCAN_BYTES, bodySchema: createBody(DOCUMENT_FIELDS), stores: storeScan },
    returns: Document,
    successStatus: 201,
    run: async ({ work, body, files, linkTo, masked }) => shownDocument(await addScan(work, body, files), { linkTo, masked }),
  }),
  get('documents/{document_id}', 'documents:read', 'read', 'Yakında', ['Read a document', 'Belgeyi getir'], {
    about: [
      'Returns an uploaded or generated document with a new link to its file. `file` is null after the file was erased.',
      'Yüklenen ya da üretilen bir belge, dosyasına yeni bağlantıyla. Dosya silindiyse `file` null olur.',
    ],
    returns: Document,
    fresh: true,
    run: async ({ db, params, linkTo, masked }) => shownDocument(await findDocument(db, params.document_id), { linkTo, masked }),
  }),
  del(
    'documents/{document_id}',
    'documents:write',
    'destructive',
    'Yakında',
    ['Delete an uploaded document', 'Yüklenen belgeyi sil'],
    {
      about: [
        'Deletes an uploaded document and its file; it cannot be restored. Void a generated document instead. A signed copy cannot be deleted.',
        'Yüklenen belgeyi dosyasıyla kaldırır; geri alınamaz. Üretilen belge silinmez, iptal edilir; imzalı nüsha belgesiyle kalır.',
      ],
      refuses: ['generated_document', 'document_is_signed_copy'],
      emits: ['document.deleted'],
      returns: Document,
      run: async ({ work, params, linkTo, masked }) =>
        shownDocument(await removeDocument(work, params.document_id), { linkTo, masked }),
    },
  ),
  get('document-templates', 'documents:read', 'read', 'Yakında', ['List document templates', 'Belge şablonlarını listele'], {
    about: [
      'Returns the document templates for the country of the account.',
      'Satış belgelerinin üretildiği, hesabın ülkesine ait şablonlar.',
    ],
    query: { kind: oneOfParam(DOCUMENT_KINDS) },
    lists: Template,
    fresh: true,
    run: async ({ db, query, page }) => listTemplates((await readPaperDealer(db)).country, query.kind, page),
  }),
  get(
    'sales/{sale_id}/sale-documents',
    'documents:read',
    'read',
    'Yakında',
    ["List a sale's generated documents", 'Satış belgelerini listele'],
    {
      about: [
        'Returns the documents generated for a sale, newest first, with their recipients and signatures.',
        'Satış için üretilen belgeler, en yenisi önce; kime gittikleri ve kimin imzaladığıyla.',
      ],
      query: { status: oneOfParam(SALE_DOCUMENT_STATUSES), template_id: uuidParam },
      lists: SaleDocument,
      synced: true,
      fresh: true,
      run: ({ db, params, query, page, linkTo, masked }) =>
        listSaleDocuments(db, params.sale_id, { ...query, origin: 'Üretildi' }, page, { linkTo, masked }),
    },
  ),
  post(
    'sales/{sale_id}/sale-documents/generate',
    'documents:write',
    'write',
    'Yakında',
    ['Generate a sale document', 'Satış belgesi oluştur'],
    {
      about: [
        'Generates a PDF from a template and the sale, with status «Taslak». An earlier draft of the same template is voided. Fails if a document of this template was already sent or signed.',
        'Şablonu satıştan doldurur ve PDF olarak «Taslak» saklar. Aynı şablonun önceki taslağı iptal edilir; gönderilmiş ya da imzalanmış olan engeldir.',
      ],
      refuses: [
        ...(['unknown_template', 'sale_cancelled', 'document_exists', 'guarantor_required', 'installments_required'] as const),
        ...(['notes_required', 'sale_not_completed', 'legal_name_missing', 'contract_incomplete'] as const),
      ],
      emits: ['sale_document.voided', 'sale_document.generated'],
      bodySchema: createBody(GENERATE_FIELDS),
      returns: SaleDocument,
      successStatus: 201,
      run: async ({ work, params, body, linkTo, masked }) =>
        shownSaleDocument(await generateDocument(work, params.sale_id, body), { linkTo, masked }),
    },
  ),
  get(
    'sale-documents/{document_id}/signed-copy',
    'documents:read',
    'read',
    'Yakında',
    ['Read the signed copy', 'İmzalı nüshayı getir'],
    {
      about: [
        'Returns a link to the signed file: the PDF with its signature page, or the scan of the paper that was signed by hand.',
        'İmzalı dosyanın bağlantısı: imza sayfasıyla PDF ya da elle imzalanan kâğıdın taraması.',
      ],
      refuses: ['document_not_signed'],
      returns: DocumentFile,
      fresh: true,
      run: ({ db, params, linkTo, masked }) => readSignedCopy(db, params.document_id, { linkTo, masked }),
    },
  ),
  get(
    'sale-documents/{document_id}/events',
    'documents:read',
    'read',
    'Yakında',
    ["List a sale document's events", 'Satış belgesinin hareketlerini listele'],
    {
      about: ['Returns the events of a sale document, oldest first.', 'Satış belgesinin başından geçenler, en eskisi önce.'],
      lists: DocumentEvent,
      run: ({ db, params, page }) => listDocumentEvents(db, params.document_id, page),
    },
  ),
  post(
    'sale-documents/{document_id}/send',
    'documents:write',
    'write',
    'Yakında',
    ['Send a sale document for signature', 'Satış belgesini imzaya gönder'],
    {
      about: [
        'Sends a draft for signature by link, by default to the customer and the guarantors of the sale. If the document was already sent, it reminds the recipients who have not signed. `signing_links` contains the links that are not sent by e-mail; pass them on yourself. A recipient can receive one e-mail in 10 minutes and five per day; further requests return 429. Changing the channel voids the open codes and signing sessions. `SMS` is refused because no SMS gateway is configured. A document that requires a handwritten signature cannot be sent.',
        'Taslağı bağlantıyla imzaya gönderir; alıcı verilmezse müşteriye ve satışın kefillerine gider. Gönderilmiş belgede imzalamayanlara hatırlatır. E-postayla gitmeyen bağlantılar `signing_links` içindedir: siz iletirsiniz. Bir alıcıya 10 dakikada bir, günde en çok 5 e-posta gider; fazlası 429 döner. Kanal değişirse, imzalamayanların kodları ve açık imza oturumları geçersiz olur. `SMS` kabul edilmez: SMS sağlayıcısı tanımlı değildir. Islak imza gereken belge gönderilemez.',
      ],
      refuses: [
        ...(['wet_signature_required', 'invalid_transition', 'sale_cancelled', 'sale_not_completed'] as const),
        ...(['recipient_contact_missing', 'recipients_fixed'] as const),
      ],
      emits: ['sale_document.sent', 'sale_document.reminded'],
      bodySchema: createBody(SEND_FIELDS),
      returns: SentDocument,
      run: async ({ work, params, body, linkTo, masked, canMail }) => {
        const { document, signing_links } = await sendDocument(work, params.document_id, body, canMail);
        return { ...shownSaleDocument(document, { linkTo, masked }), signing_links: [...signing_links] };
      },
    },
  ),
  post(
    'sale-documents/{document_id}/void',
    'documents:write',
    'destructive',
    'Yakında',
    ['Void a sale document', 'Satış belgesini iptal et'],
    {
      about: [
        'Voids a document that is not signed; its signing links stop working.',
        'İmzalanmamış belgeyi geri çeker; imza bağlantıları artık bir şey açmaz.',
      ],
      refuses: ['document_already_signed', 'document_already_void'],
      emits: ['sale_document.voided'],
      bodySchema: createBody(VOID_FIELDS),
      returns: SaleDocument,
      run: async ({ work, params, body, linkTo, masked }) =>
        shownSaleDocument(await voidSaleDocument(work, params.document_id, body.reason), { linkTo, masked }),
    },
  ),
]);
