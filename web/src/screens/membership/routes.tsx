import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const membership = createRoute({
  getParentRoute: () => shellRoute,
  path: '/uyelik',
  validateSearch: searchOf('status', 'offset'),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'MembershipScreen'),
});

export const membershipRoutes = [membership] as const;
