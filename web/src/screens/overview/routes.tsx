import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { shellRoute } from '../../shell/route.tsx';

const overview = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  component: lazyScreen(() => import('./screen.tsx'), 'OverviewScreen'),
});

export const overviewRoutes = [overview] as const;
