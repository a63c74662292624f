// Uploaded scans and the sale documents generated for signature. A file is read through a signed link that is valid for 15 minutes, so no
// row here has an ETag; papers print who somebody is, so each opening of one is in the audit log.
import { Document, listDocuments, listSaleDocuments, SaleDocument, shownSaleDocument } from '../domain/documents/document.ts';
import { DOCUMENT_KINDS, DOCUMENT_ORIGINS, SALE_DOCUMENT_STATUSES } from '../domain/documents/documents-states.ts';
import { GENERATE_FIELDS, generateDocument } from '../domain/documents/sale-document-generate.ts';
import { readPaperDealer } from '../domain/documents/sale-paper.ts';
import { listTemplates, Template } from '../domain/documents/template.ts';
import { createBody } from '../domain/records/body.ts';
import { del, get, post, resource } from '../kit/endpoint.ts';
import { oneOfParam, uuidParam } from '../kit/params.ts';

export const documents = resource('Documents', 'Belgeler', [
  get('documents', 'documents:read', 'read', 'Yakında', ['List documents', 'Belgeleri listele'], {
    about: [
      'Uploaded and generated documents, newest first. Links to their files are signed and hold for 15 minutes.',
      'Yüklenen ve üretilen belgeler, en yenisi önce. Dosya bağlantıları imzalıdır ve 15 dakika geçerlidir.',
    ],
    query: {
      customer_id: uuidParam,
      sale_id: uuidParam,
      vehicle_id: uuidParam,
      kind: oneOfParam(DOCUMENT_KINDS),
      origin: oneOfParam(DOCUMENT_ORIGINS),
    },
    lists: Document,
    fresh: true,
    run: ({ db, query, page, linkTo, masked }) => listDocuments(db, query, page, { linkTo, masked }),
  }),
  post('documents', 'documents:write', 'write', 'Yakında', ['Upload a document', 'Belge yükle']),
  get('documents/{document_id}', 'documents:read', 'read', 'Yakında', ['Read a document', 'Belgeyi getir']),
  del('documents/{document_id}', 'documents:write', 'destructive', 'Yakında', [
    'Delete an uploaded document',
    'Yüklenen belgeyi sil',
  ]),
  get('document-templates', 'documents:read', 'read', 'Yakında', ['List document templates', 'Belge şablonlarını listele'], {
    about: [
      'The templates of the account’s country from which sale documents are generated.',
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
    ["List a sale's generated documents", 'Satış evraklarını listele'],
    {
      about: [
        'The documents that were generated for a sale, newest first, with whom they went to and who has signed.',
        'Satış için üretilen belgeler, en yenisi önce; kime gittikleri ve kimin imzaladığıyla.',
      ],
      query: { status: oneOfParam(SALE_DOCUMENT_STATUSES), template_id: uuidParam },
      lists: SaleDocument,
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
    ['Generate a sale document', 'Satış evrakı oluştur'],
    {
      about: [
        'Fills a template from the sale and keeps it as a PDF, «Taslak». An earlier draft of the same template is voided; a sent or signed one stands in the way.',
        'Şablonu satıştan doldurur ve PDF olarak «Taslak» saklar. Aynı şablonun önceki taslağı iptal edilir; gönderilmiş ya da imzalanmış olan engeldir.',
      ],
      refuses: [
        ...(['unknown_template', 'sale_cancelled', 'document_exists', 'guarantor_required', 'installments_required'] as const),
        ...(['notes_required', 'sale_not_completed', 'legal_name_missing', 'contract_incomplete'] as const),
      ],
      emits: ['sale_document.voided', 'sale_document.generated'],
      takes: createBody(GENERATE_FIELDS),
      returns: SaleDocument,
      answers: 201,
      run: async ({ work, params, body, linkTo, masked }) =>
        shownSaleDocument(await generateDocument(work, params.sale_id, body), { linkTo, masked }),
    },
  ),
  get('sale-documents/{document_id}/signed-copy', 'documents:read', 'read', 'Yakında', [
    'Read the signed copy',
    'İmzalı nüshayı getir',
  ]),
  get('sale-documents/{document_id}/events', 'documents:read', 'read', 'Yakında', [
    "List a sale document's events",
    'Satış evrakının hareketlerini listele',
  ]),
  post('sale-documents/{document_id}/send', 'documents:write', 'write', 'Yakında', [
    'Send a sale document for signature',
    'Satış evrakını imzaya gönder',
  ]),
  post('sale-documents/{document_id}/void', 'documents:write', 'destructive', 'Yakında', [
    'Void a sale document',
    'Satış evrakını geçersiz kıl',
  ]),
]);
