// The state of an auction, an event, a lot or a request.
import { Ban, CalendarClock, CheckCheck, CircleCheck, CircleX, Clock, Gavel, type LucideIcon, Radio, Undo2 } from 'lucide-react';
import { useLocale } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { auctionWord } from './auction-texts.ts';

type Look = { readonly tone: 'read' | 'write' | 'dest' | 'live' | 'soon' | 'sens'; readonly icon: LucideIcon };

const LOOKS: Readonly<Record<string, Look>> = {
  Planlandı: { tone: 'read', icon: CalendarClock },
  Canlı: { tone: 'live', icon: Radio },
  Bitti: { tone: 'soon', icon: CheckCheck },
  İptal: { tone: 'soon', icon: Ban },
  Satıldı: { tone: 'live', icon: Gavel },
  Satılmadı: { tone: 'soon', icon: CircleX },
  Bozuldu: { tone: 'dest', icon: Ban },
  Sırada: { tone: 'read', icon: Clock },
  Açık: { tone: 'live', icon: Radio },
  Çekildi: { tone: 'soon', icon: Undo2 },
  Beklemede: { tone: 'write', icon: Clock },
  Onaylandı: { tone: 'live', icon: CircleCheck },
  Reddedildi: { tone: 'dest', icon: CircleX },
};

export function AuctionBadge({ status }: { readonly status: string }) {
  return <Badge {...(LOOKS[status] ?? LOOKS.Bitti!)}>{auctionWord(useLocale(), status)}</Badge>;
}
