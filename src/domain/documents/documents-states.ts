// The fixed values of documents and the transitions of a generated one. The panel in the browser imports them too.

export const DOCUMENT_ORIGINS = ['Yüklendi', 'Üretildi'] as const;
export type DocumentOrigin = (typeof DOCUMENT_ORIGINS)[number];

// biome-ignore format: one list, as the specification gives it
export const DOCUMENT_KINDS = [
  'Kimlik', 'Ehliyet', 'Ruhsat', 'Ekspertiz', 'Sigorta', 'Satış Sözleşmesi', 'Ödeme Planı', 'Kefaletname', 'Teslim Tutanağı', 'Senet',
  'İbraname', 'KVKK Aydınlatma', 'Fatura', 'Dekont', 'Diğer',
] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

// biome-ignore format: one list, as the specification gives it
export const TEMPLATE_CODES = [
  'satis_sozlesmesi', 'odeme_plani', 'teslim_tutanagi', 'kvkk_aydinlatma', 'kefaletname', 'senet', 'ibraname',
] as const;
export type TemplateCode = (typeof TEMPLATE_CODES)[number];

// biome-ignore format: one list, in the order of a document's life
export const SALE_DOCUMENT_STATUSES = [
  'Taslak', 'Gönderildi', 'Görüntülendi', 'İmzalandı', 'Reddedildi', 'Süresi Doldu', 'İptal',
] as const;
export type SaleDocumentStatus = (typeof SALE_DOCUMENT_STATUSES)[number];

/** By hand on paper only; on paper or by link. */
export const SIGNATURES = ['Islak', 'İkisi'] as const;
export type Signature = (typeof SIGNATURES)[number];

export const SIGNATURE_METHODS = ['Islak', 'Bağlantı'] as const;

export const CHANNELS = ['E-posta', 'SMS', 'Bağlantı'] as const;
export type Channel = (typeof CHANNELS)[number];

/** The channels that can be chosen: SMS needs a gateway, and none can be configured. */
export const OFFERED_CHANNELS = ['E-posta', 'Bağlantı'] as const satisfies readonly Channel[];

/** The channel of an event: a signature by hand came on paper. */
export const EVENT_CHANNELS = [...CHANNELS, 'Kâğıt'] as const;
export type EventChannel = (typeof EVENT_CHANNELS)[number];

export const RECIPIENT_ROLES = ['Müşteri', 'Kefil', 'Satıcı'] as const;
export type RecipientRole = (typeof RECIPIENT_ROLES)[number];

export const RECIPIENT_STATUSES = ['Bekliyor', 'Görüntüledi', 'İmzaladı', 'Reddetti'] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

// biome-ignore format: one list, in the order of a document's life
export const DOCUMENT_EVENT_KINDS = [
  'created', 'sent', 'reminded', 'viewed', 'signed', 'declined', 'completed', 'voided', 'expired',
] as const;
export type DocumentEventKind = (typeof DOCUMENT_EVENT_KINDS)[number];

/** Sent to its recipients, who can still decide. */
export const isOut = (status: SaleDocumentStatus): boolean => status === 'Gönderildi' || status === 'Görüntülendi';

/** Not signed and not ended. */
export const isOpen = (status: SaleDocumentStatus): boolean => status === 'Taslak' || isOut(status);

/** Counts as the sale's document of its kind, unless it was superseded. */
export const isLive = (status: SaleDocumentStatus): boolean => isOpen(status) || status === 'İmzalandı';

interface PaperFacts {
  readonly status: string;
  readonly payment_type: string;
  readonly guarantor_ids: readonly string[];
}

/** Whether a sale is filed with this paper. Notes are chosen for each sale. */
export function isRequiredPaper(code: TemplateCode, { status, payment_type, guarantor_ids }: PaperFacts): boolean {
  if (code === 'odeme_plani') return payment_type === 'Taksitli';
  if (code === 'kefaletname') return guarantor_ids.length > 0;
  if (code === 'ibraname') return status === 'Tamamlandı';
  return code !== 'senet';
}
