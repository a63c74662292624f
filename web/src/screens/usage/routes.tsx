import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const usage = createRoute({
  getParentRoute: () => shellRoute,
  path: '/kullanim',
  validateSearch: searchOf('range', 'from', 'to', 'key', 'endpoint', 'group'),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'UsageScreen'),
});

export const usageRoutes = [usage] as const;
