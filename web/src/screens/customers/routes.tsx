import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

// Imported in one place, because each import() of a file adds a list of its dependencies to the first script.
const forms = () => import('./form-screens.tsx');

const customers = createRoute({
  getParentRoute: () => shellRoute,
  path: '/musteriler',
  // The API's own parameter names, so that the address can be used for an API call.
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
