import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';
import { SALE_SEARCH } from './search.ts';

const sales = createRoute({
  getParentRoute: () => shellRoute,
  path: '/satislar',
  validateSearch: searchOf(...SALE_SEARCH),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'SalesScreen'),
});

const selling = createRoute({
  getParentRoute: () => shellRoute,
  path: '/satislar/yeni',
  validateSearch: searchOf('vehicle_id', 'customer_id'),
  component: lazyRouteComponent(() => import('./new-screen.tsx'), 'NewSaleScreen'),
});

const sale = createRoute({
  getParentRoute: () => shellRoute,
  path: '/satislar/$saleId',
  validateSearch: searchOf('tahsil'),
  component: lazyRouteComponent(() => import('./detail.tsx'), 'SaleScreen'),
});

const editing = createRoute({
  getParentRoute: () => shellRoute,
  path: '/satislar/$saleId/duzenle',
  component: lazyRouteComponent(() => import('./edit-screen.tsx'), 'EditSaleScreen'),
});

export const salesRoutes = [sales, selling, sale, editing] as const;
