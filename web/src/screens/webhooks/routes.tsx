import { createRoute, redirect } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const webhooks = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks',
  validateSearch: searchOf('status'),
  component: lazyScreen(() => import('./screen.tsx'), 'WebhooksScreen'),
});

const making = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/yeni',
  component: lazyScreen(() => import('./new-screen.tsx'), 'NewWebhookScreen'),
});

const webhook = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/$webhookId',
  component: lazyScreen(() => import('./detail.tsx'), 'WebhookScreen'),
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
  component: lazyScreen(() => import('./deliveries.tsx'), 'DeliveriesTab'),
});

const settings = createRoute({
  getParentRoute: () => webhook,
  path: '/ayarlar',
  component: lazyScreen(() => import('./settings-tab.tsx'), 'SettingsTab'),
});

const checking = createRoute({
  getParentRoute: () => webhook,
  path: '/dogrulama',
  component: lazyScreen(() => import('./check-tab.tsx'), 'CheckTab'),
});

export const webhooksRoutes = [webhooks, making, webhook.addChildren([bare, deliveries, settings, checking])] as const;
