import { createRoute, redirect } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';
import { FILTER_NAMES } from '../endpoint-picker/filter-address.ts';

const list = createRoute({
  getParentRoute: () => shellRoute,
  path: '/api-anahtarlari',
  validateSearch: searchOf('q', 'durum', 'ortam', 'offset'),
  component: lazyScreen(() => import('./list-screen.tsx'), 'KeysScreen'),
});

/** `sablon` fills an empty draft, so that a template can be shared as a link. */
const making = createRoute({
  getParentRoute: () => shellRoute,
  path: '/api-anahtarlari/yeni',
  validateSearch: searchOf('adim', 'sablon', ...FILTER_NAMES),
  component: lazyScreen(() => import('./new/new-screen.tsx'), 'NewKeyScreen'),
});

const detail = createRoute({
  getParentRoute: () => shellRoute,
  path: '/api-anahtarlari/$keyId',
  validateSearch: searchOf('dondur', 'iptal'),
  component: lazyScreen(() => import('./detail/detail-screen.tsx'), 'KeyScreen'),
});

const index = createRoute({
  getParentRoute: () => detail,
  path: '/',
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: '/api-anahtarlari/$keyId/genel', params, search, replace: true });
  },
});

const general = createRoute({
  getParentRoute: () => detail,
  path: '/genel',
  component: lazyScreen(() => import('./detail/general-tab.tsx'), 'GeneralTab'),
});

/** `satir` highlights one endpoint: a refused request links directly to the endpoint that would have allowed it. */
const scope = createRoute({
  getParentRoute: () => detail,
  path: '/kapsam',
  validateSearch: searchOf('satir', ...FILTER_NAMES),
  component: lazyScreen(() => import('./detail/scope-tab.tsx'), 'ScopeTab'),
});

const traffic = createRoute({
  getParentRoute: () => detail,
  path: '/trafik',
  validateSearch: searchOf('gun'),
  component: lazyScreen(() => import('./detail/traffic-tab.tsx'), 'TrafficTab'),
});

const agents = createRoute({
  getParentRoute: () => detail,
  path: '/ajanlar',
  component: lazyScreen(() => import('./detail/agents-tab.tsx'), 'AgentsTab'),
});

const logs = createRoute({
  getParentRoute: () => detail,
  path: '/loglar',
  component: lazyScreen(() => import('./detail/logs-tab.tsx'), 'LogsTab'),
});

const history = createRoute({
  getParentRoute: () => detail,
  path: '/gecmis',
  validateSearch: searchOf('offset'),
  component: lazyScreen(() => import('./detail/history-tab.tsx'), 'HistoryTab'),
});

export const keysRoutes = [list, making, detail.addChildren([index, general, scope, traffic, agents, logs, history])] as const;
