import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const agents = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ajanlar',
  validateSearch: searchOf('offset'),
  component: lazyScreen(() => import('./screen.tsx'), 'AgentsScreen'),
});

export const agentsRoutes = [agents] as const;
