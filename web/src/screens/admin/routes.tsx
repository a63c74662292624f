import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const accounts = createRoute({
  getParentRoute: () => shellRoute,
  path: '/yonetim/hesaplar',
  validateSearch: searchOf('q', 'status', 'offset'),
  component: lazyScreen(() => import('./accounts/accounts.tsx'), 'AccountsScreen'),
});

const account = createRoute({
  getParentRoute: () => shellRoute,
  path: '/yonetim/hesaplar/$accountId',
  component: lazyScreen(() => import('./accounts/account.tsx'), 'AccountScreen'),
});

const plan = createRoute({
  getParentRoute: () => shellRoute,
  path: '/yonetim/hesaplar/$accountId/uyelik',
  component: lazyScreen(() => import('./accounts/plan.tsx'), 'PlanScreen'),
});

const topups = createRoute({
  getParentRoute: () => shellRoute,
  path: '/yonetim/yuklemeler',
  validateSearch: searchOf('durum', 'offset'),
  component: lazyScreen(() => import('./decisions/topups.tsx'), 'TopupsScreen'),
});

const decisions = createRoute({
  getParentRoute: () => shellRoute,
  path: '/yonetim/onaylar',
  validateSearch: searchOf('durum', 'offset'),
  component: lazyScreen(() => import('./decisions/decisions.tsx'), 'DecisionsScreen'),
});

const auctionRequests = createRoute({
  getParentRoute: () => shellRoute,
  path: '/yonetim/muzayede',
  validateSearch: searchOf('durum', 'offset'),
  component: lazyScreen(() => import('./auctions/auctions.tsx'), 'AdminAuctionRequestsScreen'),
});

const events = createRoute({
  getParentRoute: () => shellRoute,
  path: '/yonetim/muzayede/etkinlikler',
  validateSearch: searchOf('durum', 'offset'),
  component: lazyScreen(() => import('./auctions/auctions.tsx'), 'AdminEventsScreen'),
});

const event = createRoute({
  getParentRoute: () => shellRoute,
  path: '/yonetim/muzayede/etkinlikler/$eventId',
  component: lazyScreen(() => import('./auctions/event.tsx'), 'AdminEventScreen'),
});

const limits = createRoute({
  getParentRoute: () => shellRoute,
  path: '/yonetim/limit-talepleri',
  validateSearch: searchOf('durum', 'offset'),
  component: lazyScreen(() => import('./decisions/limits.tsx'), 'LimitsScreen'),
});

const releases = createRoute({
  getParentRoute: () => shellRoute,
  path: '/yonetim/yayinlar',
  validateSearch: searchOf('q', 'durum', 'hazir', 'uc'),
  component: lazyScreen(() => import('./releases/releases.tsx'), 'ReleasesScreen'),
});

const audit = createRoute({
  getParentRoute: () => shellRoute,
  path: '/yonetim/denetim',
  validateSearch: searchOf('subject', 'actor', 'target', 'account_id', 'outcome', 'from', 'to', 'offset', 'kayit'),
  component: lazyScreen(() => import('./audit.tsx'), 'AdminAuditScreen'),
});

const people = createRoute({
  getParentRoute: () => shellRoute,
  path: '/yonetim/yoneticiler',
  component: lazyScreen(() => import('./administrators.tsx'), 'AdministratorsScreen'),
});

export const adminRoutes = [
  accounts,
  account,
  plan,
  topups,
  decisions,
  auctionRequests,
  events,
  event,
  limits,
  releases,
  audit,
  people,
] as const;
