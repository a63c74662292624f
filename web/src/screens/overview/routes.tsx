import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell/route.tsx';

const overview = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./screen.tsx'), 'OverviewScreen'),
});

export const overviewRoutes = [overview] as const;
