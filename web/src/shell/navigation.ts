// The menu: its groups, their items and addresses, and who sees them.
import type { LinkProps } from '@tanstack/react-router';
import {
  BadgeCheck,
  Banknote,
  Bell,
  BookOpen,
  Bot,
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
  MessagesSquare,
  Receipt,
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
import type { Scope } from '../../../src/kit/endpoint.ts';
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
  /** The roles that see the screen; absent: everyone. */
  readonly who?: readonly Role[];
}

export interface Section {
  readonly name: Name | null;
  readonly places: readonly Place[];
  /** Closed until it is opened or one of its screens is shown. */
  readonly folded?: boolean;
}

const OVERVIEW: Place = { name: 'overview', icon: LayoutDashboard, to: '/' };
const TASKS: Place = { name: 'tasks', icon: ListChecks, to: '/gorevler', who: rolesFor({ scope: 'tasks:read', risk: 'read' }) };

/** The roles that may read the traffic of keys. */
const READERS = rolesFor({ scope: 'developer:read', risk: 'read' });
const readersOf = (scope: Scope): readonly Role[] => rolesFor({ scope, risk: 'read' });

const INTEGRATION: Section = {
  name: 'integration',
  places: [
    { name: 'keys', icon: KeyRound, to: '/api-anahtarlari', who: ['owner', 'developer'] },
    { name: 'agents', icon: Bot, to: '/ajanlar', who: ['owner', 'developer', 'finance', 'sales'] },
    { name: 'catalog', icon: BookOpen, to: '/katalog' },
    { name: 'logs', icon: ScrollText, to: '/loglar', who: READERS },
    { name: 'usage', icon: ChartColumn, to: '/kullanim', who: READERS },
    { name: 'webhooks', icon: Webhook, to: '/webhooks', who: readersOf('webhooks:read') },
  ],
};

/** What is used all day is open; the rest is folded until it is opened or one of its screens is shown. */
const DEALER: readonly Section[] = [
  {
    name: 'stock',
    places: [
      { name: 'vehicles', icon: Car, to: '/araclar' },
      { name: 'imports', icon: FileInput, to: '/ice-aktarim', who: ['owner'] },
    ],
  },
  {
    name: 'selling',
    places: [
      { name: 'enquiries', icon: MessagesSquare, to: '/adaylar', who: readersOf('tasks:read') },
      { name: 'customers', icon: UsersRound, to: '/musteriler' },
      { name: 'sales', icon: Handshake, to: '/satislar', who: readersOf('sales:read') },
      { name: 'documents', icon: FileText, to: '/belgeler', who: readersOf('documents:read') },
    ],
  },
  {
    name: 'collecting',
    places: [
      { name: 'collections', icon: Banknote, to: '/tahsilat', who: readersOf('collections:read') },
      { name: 'expenses', icon: Receipt, to: '/giderler', who: ['owner', 'finance', 'sales'] },
      { name: 'notes', icon: ReceiptText, to: '/senetler', who: readersOf('promissory-notes:read') },
      { name: 'rates', icon: Coins, to: '/kur' },
    ],
  },
  {
    name: 'network',
    folded: true,
    places: [
      { name: 'networkOffers', icon: Waypoints, to: '/ag', who: readersOf('network-offers:read') },
      { name: 'auctions', icon: Gavel, to: '/muzayede', who: readersOf('live-auctions:read') },
      { name: 'marketplace', icon: Store, to: '/pazar', who: readersOf('marketplace:read') },
      { name: 'boosts', icon: Zap, to: '/boost', who: readersOf('boost:read') },
    ],
  },
  {
    name: 'management',
    folded: true,
    places: [
      { name: 'reports', icon: ChartNoAxesCombined, to: '/raporlar', who: readersOf('reports:read') },
      { name: 'staff', icon: Building2, to: '/ekip' },
      { name: 'wallet', icon: Wallet, to: '/cuzdan', who: readersOf('wallet:read') },
      { name: 'membership', icon: CreditCard, to: '/uyelik', who: readersOf('membership:read') },
      { name: 'notifications', icon: Bell, to: '/bildirimler' },
    ],
  },
];

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

/** The menu of this person; the server checks again on every call. Settings are separate and always visible. */
export function sectionsFor({ account, person }: Session): readonly Section[] {
  const isDeveloper = account?.role === 'developer';
  const integration = { ...INTEGRATION, folded: !isDeveloper };
  const sections = account ? [...DEALER, integration].map((section) => seenBy(account.role, section)) : [];
  return [
    { name: null, places: account ? [OVERVIEW, ...(TASKS.who?.includes(account.role) ? [TASKS] : [])] : [OVERVIEW] },
    ...(isSandbox() ? [SANDBOX] : []),
    ...(isDeveloper ? sections.toReversed() : sections).filter(({ places }) => places.length > 0),
    // Administrators work for all dealers, not in the sandbox of one.
    ...(person.is_admin && !isSandbox() ? [PLATFORM] : []),
  ];
}

/** All items without sections, settings last. */
export const placesFor = (session: Session): readonly Place[] => [
  ...sectionsFor(session).flatMap((section) => section.places),
  SETTINGS,
];
