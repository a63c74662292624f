import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const membership = createRoute({
  getParentRoute: () => shellRoute,
  path: '/uyelik',
  validateSearch: searchOf('status', 'offset'),
  component: lazyScreen(() => import('./screen.tsx'), 'MembershipScreen'),
});

export const membershipRoutes = [membership] as const;
