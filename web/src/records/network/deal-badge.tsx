// The state of an offer, a swap or a listing.
import { Ban, CheckCheck, CircleCheck, CircleX, Clock, Handshake, type LucideIcon, Pause, Reply, Undo2 } from 'lucide-react';
import { useLocale } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { dealWord } from './network-texts.ts';

type Look = { readonly tone: 'read' | 'write' | 'dest' | 'live' | 'soon'; readonly icon: LucideIcon };

const LOOKS: Readonly<Record<string, Look>> = {
  Beklemede: { tone: 'write', icon: Clock },
  'Kabul Edildi': { tone: 'live', icon: Handshake },
  Reddedildi: { tone: 'dest', icon: CircleX },
  'Karşı Teklif': { tone: 'soon', icon: Reply },
  'Geri Çekildi': { tone: 'soon', icon: Undo2 },
  'Süresi Doldu': { tone: 'soon', icon: Clock },
  Tamamlandı: { tone: 'live', icon: CheckCheck },
  Bozuldu: { tone: 'dest', icon: Ban },
  İptal: { tone: 'soon', icon: Ban },
  Yayında: { tone: 'live', icon: CircleCheck },
  Askıda: { tone: 'write', icon: Pause },
  Kapandı: { tone: 'soon', icon: Ban },
};

export function DealBadge({ status }: { readonly status: string }) {
  return <Badge {...(LOOKS[status] ?? LOOKS.Kapandı!)}>{dealWord(useLocale(), status)}</Badge>;
}
