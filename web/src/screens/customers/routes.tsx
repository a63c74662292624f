import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

// Imported in one place, because each import() of a file adds a list of its dependencies to the first script.
const forms = () => import('./form-screens.tsx');

const customers = createRoute({
  getParentRoute: () => shellRoute,
  path: '/musteriler',
  // The API's own parameter names, so that the address can be used for an API call.
  validateSearch: searchOf('q', 'risk_level', 'deleted', 'limit', 'offset'),
  component: lazyScreen(() => import('./screen.tsx'), 'CustomersScreen'),
});

const making = createRoute({
  getParentRoute: () => shellRoute,
  path: '/musteriler/yeni',
  component: lazyScreen(forms, 'NewCustomerScreen'),
});

const editing = createRoute({
  getParentRoute: () => shellRoute,
  path: '/musteriler/$customerId/duzenle',
  component: lazyScreen(forms, 'EditCustomerScreen'),
});

const details = () => import('./detail.tsx');
const money = () => import('./money-sales.tsx');

const customer = createRoute({
  getParentRoute: () => shellRoute,
  path: '/musteriler/$customerId',
  component: lazyScreen(details, 'CustomerScreen'),
});

const facts = createRoute({
  getParentRoute: () => customer,
  path: '/',
  component: lazyScreen(details, 'CustomerFacts'),
});

const sales = createRoute({
  getParentRoute: () => customer,
  path: '/satislar',
  component: lazyScreen(money, 'CustomerSales'),
});

const statement = createRoute({
  getParentRoute: () => customer,
  path: '/ekstre',
  validateSearch: searchOf('currency', 'from', 'to', 'offset'),
  component: lazyScreen(() => import('./money-statement.tsx'), 'CustomerStatement'),
});

const collections = createRoute({
  getParentRoute: () => customer,
  path: '/tahsilatlar',
  validateSearch: searchOf('offset'),
  component: lazyScreen(money, 'CustomerCollections'),
});

export const customersRoutes = [
  customers,
  making,
  editing,
  customer.addChildren([facts, sales, statement, collections]),
] as const;
