import { Ban, CircleCheck, CircleX, Eye, FileText, Hourglass, type LucideIcon, Send } from 'lucide-react';
import type { SaleDocumentStatus } from '../../../../src/domain/documents/documents-states.ts';
import { useLocale } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';

type Look = { readonly tone: 'read' | 'write' | 'dest' | 'live' | 'soon'; readonly icon: LucideIcon };

const LOOKS: Readonly<Record<SaleDocumentStatus, Look>> = {
  Taslak: { tone: 'soon', icon: FileText },
  Gönderildi: { tone: 'write', icon: Send },
  Görüntülendi: { tone: 'write', icon: Eye },
  İmzalandı: { tone: 'live', icon: CircleCheck },
  Reddedildi: { tone: 'dest', icon: CircleX },
  'Süresi Doldu': { tone: 'dest', icon: Hourglass },
  İptal: { tone: 'soon', icon: Ban },
};

/** English labels of a document's values, which are Turkish in the API. */
const ENGLISH: Readonly<Record<string, string>> = {
  Taslak: 'Draft',
  Gönderildi: 'Sent',
  Görüntülendi: 'Viewed',
  İmzalandı: 'Signed',
  Reddedildi: 'Declined',
  'Süresi Doldu': 'Expired',
  İptal: 'Void',
  Yüklendi: 'Uploaded',
  Üretildi: 'Generated',
  Islak: 'On paper only',
  İkisi: 'On paper or by link',
  Bağlantı: 'By link',
  'E-posta': 'E-mail',
  SMS: 'SMS',
  Müşteri: 'Customer',
  Kefil: 'Guarantor',
  Satıcı: 'Seller',
  Bekliyor: 'Waiting',
  Görüntüledi: 'Viewed',
  İmzaladı: 'Signed',
  Reddetti: 'Declined',
  Kimlik: 'Identity card',
  Ehliyet: 'Driving licence',
  Ruhsat: 'Vehicle registration',
  Ekspertiz: 'Expert report',
  Sigorta: 'Insurance',
  'Satış Sözleşmesi': 'Sale contract',
  'Ödeme Planı': 'Payment plan',
  Kefaletname: 'Guarantee',
  'Teslim Tutanağı': 'Handover record',
  Senet: 'Promissory note',
  İbraname: 'Release',
  'KVKK Aydınlatma': 'Privacy notice',
  Fatura: 'Invoice',
  Dekont: 'Bank slip',
  Diğer: 'Other',
};

const TURKISH: Readonly<Record<string, string>> = {
  Islak: 'Yalnızca ıslak imza',
  İkisi: 'Islak imza ya da bağlantı',
  Bağlantı: 'Bağlantıyla',
};

export const documentWord = (locale: 'tr' | 'en', value: string): string => (locale === 'tr' ? TURKISH : ENGLISH)[value] ?? value;

export function DocumentBadge({ status }: { readonly status: SaleDocumentStatus }) {
  return <Badge {...LOOKS[status]}>{documentWord(useLocale(), status)}</Badge>;
}
