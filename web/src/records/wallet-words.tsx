// Words of the wallet, boosts and membership in the reader's language, and their states as badges.
import { Ban, CheckCheck, CircleCheck, CircleX, Clock, type LucideIcon, TriangleAlert, Zap } from 'lucide-react';
import type { BoostStatus } from '../../../src/domain/boosts/boost-states.ts';
import type { InvoiceStatus } from '../../../src/domain/membership/membership-states.ts';
import type { TopupStatus } from '../../../src/domain/wallet/wallet-states.ts';
import { useLocale } from '../language.ts';
import { Badge } from '../parts/badges.tsx';

const ENGLISH: Readonly<Record<string, string>> = {
  Yükleme: 'Top-up',
  Boost: 'Boost',
  'Boost İadesi': 'Boost refund',
  Üyelik: 'Membership',
  Düzeltme: 'Correction',
  'Havale/EFT': 'Bank transfer',
  'Kredi Kartı': 'Credit card',
  Beklemede: 'Waiting',
  Onaylandı: 'Approved',
  Reddedildi: 'Rejected',
  Aktif: 'Active',
  Tamamlandı: 'Finished',
  İptal: 'Cancelled',
  Başlangıç: 'Starter',
  Profesyonel: 'Professional',
  Kurumsal: 'Enterprise',
  Deneme: 'Trial',
  Gecikmiş: 'Overdue',
  Ödenmedi: 'Unpaid',
  Ödendi: 'Paid',
  Vitrin: 'Showcase',
  'Üst Sıra': 'Top of the list',
  Acil: 'Urgent',
};
const TURKISH: Readonly<Record<string, string>> = { Boost: 'Doping', 'Boost İadesi': 'Doping iadesi' };

export const walletWord = (locale: 'tr' | 'en', word: string): string =>
  (locale === 'en' ? ENGLISH[word] : TURKISH[word]) ?? word;

type Look = { readonly tone: 'read' | 'write' | 'dest' | 'live' | 'soon'; readonly icon: LucideIcon };

const TOPUPS: Readonly<Record<TopupStatus, Look>> = {
  Beklemede: { tone: 'write', icon: Clock },
  Onaylandı: { tone: 'live', icon: CircleCheck },
  Reddedildi: { tone: 'dest', icon: CircleX },
};
const BOOSTS: Readonly<Record<BoostStatus, Look>> = {
  Beklemede: { tone: 'write', icon: Clock },
  Aktif: { tone: 'live', icon: Zap },
  Tamamlandı: { tone: 'soon', icon: CheckCheck },
  İptal: { tone: 'soon', icon: Ban },
};
const INVOICES: Readonly<Record<InvoiceStatus, Look>> = {
  Ödenmedi: { tone: 'write', icon: Clock },
  Ödendi: { tone: 'live', icon: CircleCheck },
  İptal: { tone: 'soon', icon: Ban },
};
const MEMBERSHIPS: Readonly<Record<'Deneme' | 'Aktif' | 'Gecikmiş' | 'İptal', Look>> = {
  Deneme: { tone: 'read', icon: Clock },
  Aktif: { tone: 'live', icon: CircleCheck },
  Gecikmiş: { tone: 'dest', icon: TriangleAlert },
  İptal: { tone: 'soon', icon: Ban },
};

function WordBadge({ look, word }: { readonly look: Look; readonly word: string }) {
  return <Badge {...look}>{walletWord(useLocale(), word)}</Badge>;
}

export const TopupBadge = ({ status }: { readonly status: TopupStatus }) => <WordBadge look={TOPUPS[status]} word={status} />;
export const BoostBadge = ({ status }: { readonly status: BoostStatus }) => <WordBadge look={BOOSTS[status]} word={status} />;
export const InvoiceBadge = ({ status }: { readonly status: InvoiceStatus }) => (
  <WordBadge look={INVOICES[status]} word={status} />
);
export const MembershipBadge = ({ status }: { readonly status: keyof typeof MEMBERSHIPS }) => (
  <WordBadge look={MEMBERSHIPS[status]} word={status} />
);

/** TR33 0006 1005 …, in groups of four. */
export const groupedIban = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ');
