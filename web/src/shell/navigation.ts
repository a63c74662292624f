// The menu: its items, their addresses, and who sees them. Screens that do not exist yet lead to the vote in the catalog.
import type { LinkProps } from '@tanstack/react-router';
import {
  BadgeCheck,
  Banknote,
  Bell,
  BookOpen,
  Building2,
  Car,
  ChartColumn,
  ChartNoAxesCombined,
  Coins,
  CopyCheck,
  CreditCard,
  FileInput,
  FileText,
  FlaskConical,
  Gauge,
  Gavel,
  Handshake,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Megaphone,
  ReceiptText,
  ScrollText,
  Settings,
  ShieldCheck,
  Store,
  UserCog,
  UsersRound,
  Wallet,
  Waypoints,
  Webhook,
  Zap,
} from 'lucide-react';
import { type Role, rolesFor } from '../../../src/domain/identity/roles.ts';
import { isSandbox } from '../environment.ts';
import type { Session } from '../session.ts';
import type { shellTexts } from '../texts/shell.ts';

type Words = (typeof shellTexts)['tr'];
/** The keys of texts that are plain strings. */
type Name = { [Key in keyof Words]: Words[Key] extends string ? Key : never }[keyof Words];

export interface Place {
  readonly name: Name;
  readonly icon: LucideIcon;
  readonly to: NonNullable<LinkProps['to']>;
  /** The catalog category to vote in, where the screen does not exist yet. */
  readonly soon?: string;
  /** The roles that see the screen; absent: everyone. */
  readonly who?: readonly Role[];
}

export interface Section {
  readonly name: Name | null;
  readonly places: readonly Place[];
  /** Closed until it is opened: what is not there yet must not push down what is. */
  readonly folded?: boolean;
}

const OVERVIEW: Place = { name: 'overview', icon: LayoutDashboard, to: '/' };

/** The roles that may read the traffic of keys. */
const READERS = rolesFor({ scope: 'developer:read', risk: 'read' });

const INTEGRATION: Section = {
  name: 'integration',
  places: [
    { name: 'keys', icon: KeyRound, to: '/api-anahtarlari', who: ['owner', 'developer'] },
    { name: 'catalog', icon: BookOpen, to: '/katalog' },
    { name: 'logs', icon: ScrollText, to: '/loglar', who: READERS },
    { name: 'usage', icon: ChartColumn, to: '/kullanim', who: READERS },
    { name: 'webhooks', icon: Webhook, to: '/webhooks', who: rolesFor({ scope: 'webhooks:read', risk: 'read' }) },
    { name: 'imports', icon: FileInput, to: '/ice-aktarim', who: ['owner'] },
  ],
};

const DEALER: Section = {
  name: 'dealer',
  places: [
    { name: 'vehicles', icon: Car, to: '/araclar' },
    { name: 'customers', icon: UsersRound, to: '/musteriler' },
    { name: 'sales', icon: Handshake, to: '/satislar', who: rolesFor({ scope: 'sales:read', risk: 'read' }) },
    {
      name: 'collections',
      icon: Banknote,
      to: '/tahsilat',
      who: rolesFor({ scope: 'collections:read', risk: 'read' }),
    },
    { name: 'tasks', icon: ListChecks, to: '/gorevler', who: rolesFor({ scope: 'tasks:read', risk: 'read' }) },
    { name: 'staff', icon: Building2, to: '/ekip' },
    { name: 'notes', icon: ReceiptText, to: '/senetler', who: rolesFor({ scope: 'promissory-notes:read', risk: 'read' }) },
    { name: 'documents', icon: FileText, to: '/belgeler', who: rolesFor({ scope: 'documents:read', risk: 'read' }) },
    { name: 'network', icon: Waypoints, to: '/ag', who: rolesFor({ scope: 'network-offers:read', risk: 'read' }) },
    { name: 'auctions', icon: Gavel, to: '/muzayede', who: rolesFor({ scope: 'live-auctions:read', risk: 'read' }) },
    { name: 'marketplace', icon: Store, to: '/pazar', who: rolesFor({ scope: 'marketplace:read', risk: 'read' }) },
    { name: 'wallet', icon: Wallet, to: '/cuzdan', who: rolesFor({ scope: 'wallet:read', risk: 'read' }) },
    { name: 'boosts', icon: Zap, to: '/boost', who: rolesFor({ scope: 'boost:read', risk: 'read' }) },
    { name: 'membership', icon: CreditCard, to: '/uyelik', who: rolesFor({ scope: 'membership:read', risk: 'read' }) },
    { name: 'reports', icon: ChartNoAxesCombined, to: '/raporlar', who: rolesFor({ scope: 'reports:read', risk: 'read' }) },
    { name: 'rates', icon: Coins, to: '/kur' },
    { name: 'notifications', icon: Bell, to: '/bildirimler' },
  ],
};

const SANDBOX: Section = { name: null, places: [{ name: 'sandbox', icon: FlaskConical, to: '/kontrol' }] };

export const SETTINGS: Place = { name: 'settings', icon: Settings, to: '/ayarlar' };

const PLATFORM: Section = {
  name: 'platform',
  places: [
    { name: 'adminAccounts', icon: BadgeCheck, to: '/yonetim/hesaplar' },
    { name: 'adminTopups', icon: Banknote, to: '/yonetim/yuklemeler' },
    { name: 'adminDecisions', icon: CopyCheck, to: '/yonetim/onaylar' },
    { name: 'adminAuctions', icon: Gavel, to: '/yonetim/muzayede' },
    { name: 'adminLimits', icon: Gauge, to: '/yonetim/limit-talepleri' },
    { name: 'adminReleases', icon: Megaphone, to: '/yonetim/yayinlar' },
    { name: 'adminAudit', icon: ShieldCheck, to: '/yonetim/denetim' },
    { name: 'adminPeople', icon: UserCog, to: '/yonetim/yoneticiler' },
  ],
};

const seenBy = (role: Role, section: Section): Section => ({
  ...section,
  places: section.places.filter(({ who }) => who === undefined || who.includes(role)),
});

/** The link of an item; for a screen that does not exist yet, to its part of the catalog. */
export const linkOf = ({ to, soon }: Place): Pick<LinkProps, 'to' | 'search'> =>
  soon === undefined ? { to } : { to, search: { kategori: soon } };

/** The menu of this person; the server checks again on every call. Settings are separate and always visible. */
export function sectionsFor({ account, person }: Session): readonly Section[] {
  const dealer = account ? seenBy(account.role, DEALER) : null;
  const soonPlaces = dealer?.places.filter(({ soon: isSoon }) => isSoon !== undefined) ?? [];
  return [
    { name: null, places: [OVERVIEW] },
    ...(isSandbox() ? [SANDBOX] : []),
    ...(dealer ? [{ ...dealer, places: dealer.places.filter(({ soon: isSoon }) => isSoon === undefined) }] : []),
    ...(account ? [seenBy(account.role, INTEGRATION)] : []),
    // Administrators work for all dealers, not in the sandbox of one.
    ...(person.is_admin && !isSandbox() ? [PLATFORM] : []),
    ...(soonPlaces.length > 0 ? [{ name: 'soon' as const, places: soonPlaces, folded: true }] : []),
  ];
}

/** All items without sections, settings last. */
export const placesFor = (session: Session): readonly Place[] => [
  ...sectionsFor(session).flatMap((section) => section.places),
  SETTINGS,
];
