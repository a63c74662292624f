// All screens of the panel. A screen's own routes are in its folder, and its code is loaded when it is opened.
import { createRouter } from '@tanstack/react-router';
import { basePath } from './environment.ts';
import { adminRoutes } from './screens/admin/routes.tsx';
import { agentsRoutes } from './screens/agents/routes.tsx';
import { auctionsRoutes } from './screens/auctions/routes.tsx';
import { boostsRoutes } from './screens/boosts/routes.tsx';
import { catalogRoutes } from './screens/catalog/routes.tsx';
import { customersRoutes } from './screens/customers/routes.tsx';
import { documentsRoutes } from './screens/documents/routes.tsx';
import { enquiriesRoutes } from './screens/enquiries/routes.tsx';
import { ratesRoutes } from './screens/exchange-rates/routes.tsx';
import { expensesRoutes } from './screens/expenses/routes.tsx';
import { importsRoutes } from './screens/imports/routes.tsx';
import { keysRoutes } from './screens/keys/routes.tsx';
import { logsRoutes } from './screens/logs/routes.tsx';
import { marketplaceRoutes } from './screens/marketplace/routes.tsx';
import { membershipRoutes } from './screens/membership/routes.tsx';
import { networkRoutes } from './screens/network/routes.tsx';
import { notesRoutes } from './screens/notes/routes.tsx';
import { notificationsRoutes } from './screens/notifications/routes.tsx';
import { overviewRoutes } from './screens/overview/routes.tsx';
import { receivablesRoutes } from './screens/receivables/routes.tsx';
import { reportsRoutes } from './screens/reports/routes.tsx';
import { salesRoutes } from './screens/sales/routes.tsx';
import { sandboxRoutes } from './screens/sandbox/routes.tsx';
import { settingsRoutes } from './screens/settings/routes.tsx';
import { staffRoutes } from './screens/staff/routes.tsx';
import { tasksRoutes } from './screens/tasks/routes.tsx';
import { usageRoutes } from './screens/usage/routes.tsx';
import { vehiclesRoutes } from './screens/vehicles/routes.tsx';
import { walletRoutes } from './screens/wallet/routes.tsx';
import { webhooksRoutes } from './screens/webhooks/routes.tsx';
import { parseSearch, stringifySearch } from './search-params.ts';
import { NotFound, notFoundRoute } from './shell/not-found.tsx';
import { rootRoute } from './shell/root.tsx';
import { shellRoute } from './shell/route.tsx';
import { RouteError } from './shell/route-error.tsx';

// biome-ignore format: one line for each screen
const screens = shellRoute.addChildren([
  ...overviewRoutes,
  ...agentsRoutes,
  ...keysRoutes,
  ...vehiclesRoutes,
  ...customersRoutes,
  ...enquiriesRoutes,
  ...salesRoutes,
  ...receivablesRoutes,
  ...expensesRoutes,
  ...notesRoutes,
  ...documentsRoutes,
  ...networkRoutes,
  ...auctionsRoutes,
  ...marketplaceRoutes,
  ...reportsRoutes,
  ...walletRoutes,
  ...boostsRoutes,
  ...membershipRoutes,
  ...staffRoutes,
  ...tasksRoutes,
  ...notificationsRoutes,
  ...webhooksRoutes,
  ...importsRoutes,
  ...settingsRoutes,
  ...catalogRoutes,
  ...adminRoutes,
  ...logsRoutes,
  ...usageRoutes,
  ...ratesRoutes,
  ...sandboxRoutes,
  notFoundRoute,
]);

export const router = createRouter({
  routeTree: rootRoute.addChildren([screens]),
  basepath: basePath(),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: RouteError,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
