import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const notifications = createRoute({
  getParentRoute: () => shellRoute,
  path: '/bildirimler',
  validateSearch: searchOf('unread', 'kind', 'limit', 'offset'),
  component: lazyScreen(() => import('./screen.tsx'), 'NotificationsScreen'),
});

export const notificationsRoutes = [notifications] as const;
