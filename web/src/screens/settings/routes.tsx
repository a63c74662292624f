import { createRoute, redirect } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const index = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ayarlar',
  component: lazyScreen(() => import('./frame.tsx'), 'FirstSettings'),
});

const account = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ayarlar/hesap',
  component: lazyScreen(() => import('./account-screen.tsx'), 'AccountScreen'),
});

const paper = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ayarlar/evrak',
  component: lazyScreen(() => import('./paper-screen.tsx'), 'PaperScreen'),
});

const showroom = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ayarlar/vitrin',
  component: lazyScreen(() => import('./showroom-screen.tsx'), 'ShowroomScreen'),
});

const bankAccounts = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ayarlar/banka-hesaplari',
  component: lazyScreen(() => import('./bank-accounts-screen.tsx'), 'BankAccountsScreen'),
});

/** People who sign in are on the screen of the staff; links to the old address lead there. */
const users = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ayarlar/kullanicilar',
  beforeLoad: () => {
    throw redirect({ to: '/ekip', replace: true });
  },
});

const sessions = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ayarlar/oturumlar',
  component: lazyScreen(() => import('./sessions-screen.tsx'), 'SessionsScreen'),
});

const security = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ayarlar/guvenlik',
  component: lazyScreen(() => import('./security-screen.tsx'), 'SecurityScreen'),
});

const audit = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ayarlar/denetim',
  // The server's own parameter names; `kayit` is the open entry.
  validateSearch: searchOf('subject', 'actor', 'target', 'outcome', 'from', 'to', 'limit', 'offset', 'kayit'),
  component: lazyScreen(() => import('./audit-screen.tsx'), 'AuditScreen'),
});

const preferences = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ayarlar/tercihler',
  component: lazyScreen(() => import('./preferences-screen.tsx'), 'PreferencesScreen'),
});

export const settingsRoutes = [
  index,
  account,
  showroom,
  bankAccounts,
  paper,
  users,
  sessions,
  security,
  audit,
  preferences,
] as const;
