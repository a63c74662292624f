import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const connectors = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ice-aktarim',
  validateSearch: searchOf('status', 'target', 'limit', 'offset'),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'ConnectorsScreen'),
});

const making = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ice-aktarim/yeni',
  validateSearch: searchOf('target'),
  component: lazyRouteComponent(() => import('./form-screens.tsx'), 'NewConnectorScreen'),
});

const runs = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ice-aktarim/calismalar',
  validateSearch: searchOf('connector_id', 'status', 'from', 'to', 'limit', 'offset'),
  component: lazyRouteComponent(() => import('./runs.tsx'), 'RunsScreen'),
});

const run = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ice-aktarim/calismalar/$runId',
  validateSearch: searchOf('code', 'limit', 'offset'),
  component: lazyRouteComponent(() => import('./run.tsx'), 'RunScreen'),
});

const connector = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ice-aktarim/$connectorId',
  validateSearch: searchOf('limit', 'offset'),
  component: lazyRouteComponent(() => import('./detail.tsx'), 'ConnectorScreen'),
});

const editing = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ice-aktarim/$connectorId/duzenle',
  component: lazyRouteComponent(() => import('./form-screens.tsx'), 'EditConnectorScreen'),
});

export const importsRoutes = [connectors, making, runs, run, connector, editing] as const;
