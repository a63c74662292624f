import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const webhooks = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks',
  validateSearch: searchOf('status'),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'WebhooksScreen'),
});

const making = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/yeni',
  component: lazyRouteComponent(() => import('./new-screen.tsx'), 'NewWebhookScreen'),
});

const webhook = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/$webhookId',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'WebhookScreen'),
});

const bare = createRoute({
  getParentRoute: () => webhook,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/webhooks/$webhookId/teslimatlar', params, replace: true });
  },
});

const deliveries = createRoute({
  getParentRoute: () => webhook,
  path: '/teslimatlar',
  validateSearch: searchOf('status', 'event_type', 'limit', 'offset', 'teslimat'),
  component: lazyRouteComponent(() => import('./deliveries.tsx'), 'DeliveriesTab'),
});

const settings = createRoute({
  getParentRoute: () => webhook,
  path: '/ayarlar',
  component: lazyRouteComponent(() => import('./settings-tab.tsx'), 'SettingsTab'),
});

const checking = createRoute({
  getParentRoute: () => webhook,
  path: '/dogrulama',
  component: lazyRouteComponent(() => import('./check-tab.tsx'), 'CheckTab'),
});

export const webhooksRoutes = [webhooks, making, webhook.addChildren([bare, deliveries, settings, checking])] as const;
