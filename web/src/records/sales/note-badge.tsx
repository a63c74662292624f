import {
  Ban,
  CheckCheck,
  CircleCheck,
  Gavel,
  Landmark,
  type LucideIcon,
  ReceiptText,
  Scale,
  ShieldHalf,
  SquareArrowRight,
} from 'lucide-react';
import type { NoteStatus } from '../../../../src/domain/installments/note-states.ts';
import { useLocale } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { saleWord } from './sale-texts.ts';

type Look = { readonly tone: 'read' | 'write' | 'dest' | 'live' | 'soon'; readonly icon: LucideIcon };

const NOTES: Readonly<Record<NoteStatus, Look>> = {
  Portföyde: { tone: 'read', icon: ReceiptText },
  Bankada: { tone: 'write', icon: Landmark },
  Teminatta: { tone: 'write', icon: ShieldHalf },
  Devredildi: { tone: 'write', icon: SquareArrowRight },
  Protestolu: { tone: 'dest', icon: Gavel },
  Avukatta: { tone: 'dest', icon: Scale },
  'Tahsil Edildi': { tone: 'live', icon: CircleCheck },
  'İade Edildi': { tone: 'live', icon: CheckCheck },
  İptal: { tone: 'soon', icon: Ban },
};

export const noteIcon = (status: NoteStatus): LucideIcon => NOTES[status].icon;

export function NoteBadge({ status }: { readonly status: NoteStatus }) {
  return <Badge {...NOTES[status]}>{saleWord(useLocale(), status)}</Badge>;
}
