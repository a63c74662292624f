import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const usage = createRoute({
  getParentRoute: () => shellRoute,
  path: '/kullanim',
  validateSearch: searchOf('range', 'from', 'to', 'key', 'endpoint', 'group'),
  component: lazyScreen(() => import('./screen.tsx'), 'UsageScreen'),
});

export const usageRoutes = [usage] as const;
