import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';
import { SALE_SEARCH } from './search.ts';

const sales = createRoute({
  getParentRoute: () => shellRoute,
  path: '/satislar',
  validateSearch: searchOf(...SALE_SEARCH),
  component: lazyScreen(() => import('./screen.tsx'), 'SalesScreen'),
});

const selling = createRoute({
  getParentRoute: () => shellRoute,
  path: '/satislar/yeni',
  validateSearch: searchOf('vehicle_id', 'customer_id'),
  component: lazyScreen(() => import('./new/new-screen.tsx'), 'NewSaleScreen'),
});

const sale = createRoute({
  getParentRoute: () => shellRoute,
  path: '/satislar/$saleId',
  validateSearch: searchOf('tahsil'),
  component: lazyScreen(() => import('./detail.tsx'), 'SaleScreen'),
});

const editing = createRoute({
  getParentRoute: () => shellRoute,
  path: '/satislar/$saleId/duzenle',
  component: lazyScreen(() => import('./edit/edit-screen.tsx'), 'EditSaleScreen'),
});

export const salesRoutes = [sales, selling, sale, editing] as const;
