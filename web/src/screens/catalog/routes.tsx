import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const catalog = createRoute({
  getParentRoute: () => shellRoute,
  path: '/katalog',
  validateSearch: searchOf('q', 'kategori', 'risk', 'durum', 'yontem', 'sirala'),
  component: lazyScreen(() => import('./screen.tsx'), 'CatalogScreen'),
});

const row = createRoute({
  getParentRoute: () => shellRoute,
  path: '/katalog/$endpointId',
  component: lazyScreen(() => import('./detail.tsx'), 'EndpointScreen'),
});

export const catalogRoutes = [catalog, row] as const;
