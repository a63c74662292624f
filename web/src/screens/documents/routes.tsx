import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const documents = createRoute({
  getParentRoute: () => shellRoute,
  path: '/belgeler',
  validateSearch: searchOf('waiting', 'kind', 'origin', 'sale_id', 'customer_id', 'vehicle_id', 'limit', 'offset'),
  component: lazyScreen(() => import('./screen.tsx'), 'DocumentsScreen'),
});

export const documentsRoutes = [documents] as const;
