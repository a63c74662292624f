// Uploaded scans and the sale documents generated for signature. A file is read through a signed link that is valid for 15 minutes.
import { del, get, post, resource } from '../kit/endpoint.ts';

export const documents = resource('Documents', 'Belgeler', [
  get('documents', 'documents:read', 'read', 'Yakında', ['List documents', 'Belgeleri listele']),
  post('documents', 'documents:write', 'write', 'Yakında', ['Upload a document', 'Belge yükle']),
  get('documents/{document_id}', 'documents:read', 'read', 'Yakında', ['Read a document', 'Belgeyi getir']),
  del('documents/{document_id}', 'documents:write', 'destructive', 'Yakında', [
    'Delete an uploaded document',
    'Yüklenen belgeyi sil',
  ]),
  get('document-templates', 'documents:read', 'read', 'Yakında', ['List document templates', 'Belge şablonlarını listele']),
  get('sales/{sale_id}/sale-documents', 'documents:read', 'read', 'Yakında', [
    "List a sale's generated documents",
    'Satış evraklarını listele',
  ]),
  post('sales/{sale_id}/sale-documents/generate', 'documents:write', 'write', 'Yakında', [
    'Generate a sale document',
    'Satış evrakı oluştur',
  ]),
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
