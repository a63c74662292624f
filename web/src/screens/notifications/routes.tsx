import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const notifications = createRoute({
  getParentRoute: () => shellRoute,
  path: '/bildirimler',
  validateSearch: searchOf('unread', 'kind', 'limit', 'offset'),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'NotificationsScreen'),
});

export const notificationsRoutes = [notifications] as const;
