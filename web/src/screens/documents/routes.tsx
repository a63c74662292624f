import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const documents = createRoute({
  getParentRoute: () => shellRoute,
  path: '/belgeler',
  validateSearch: searchOf('kind', 'origin', 'sale_id', 'customer_id', 'vehicle_id', 'limit', 'offset'),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'DocumentsScreen'),
});

export const documentsRoutes = [documents] as const;
