import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

// One place: what a file needs is listed in the first script once for every place that imports it.
const forms = () => import('./form-screens.tsx');

const customers = createRoute({
  getParentRoute: () => shellRoute,
  path: '/musteriler',
  // The catalog row's own names, so that what stands in the address can be called with a key as it is.
  validateSearch: searchOf('q', 'risk_level', 'deleted', 'limit', 'offset'),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'CustomersScreen'),
});

const making = createRoute({
  getParentRoute: () => shellRoute,
  path: '/musteriler/yeni',
  component: lazyRouteComponent(forms, 'NewCustomerScreen'),
});

const editing = createRoute({
  getParentRoute: () => shellRoute,
  path: '/musteriler/$customerId/duzenle',
  component: lazyRouteComponent(forms, 'EditCustomerScreen'),
});

const customer = createRoute({
  getParentRoute: () => shellRoute,
  path: '/musteriler/$customerId',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'CustomerScreen'),
});

export const customersRoutes = [customers, making, editing, customer] as const;
