import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const connectors = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ice-aktarim',
  validateSearch: searchOf('status', 'target', 'limit', 'offset'),
  component: lazyScreen(() => import('./screen.tsx'), 'ConnectorsScreen'),
});

const making = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ice-aktarim/yeni',
  validateSearch: searchOf('target', 'dosya'),
  component: lazyScreen(() => import('./form-screens.tsx'), 'NewConnectorScreen'),
});

const runs = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ice-aktarim/calismalar',
  validateSearch: searchOf('connector_id', 'status', 'from', 'to', 'limit', 'offset'),
  component: lazyScreen(() => import('./runs.tsx'), 'RunsScreen'),
});

const run = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ice-aktarim/calismalar/$runId',
  validateSearch: searchOf('code', 'limit', 'offset'),
  component: lazyScreen(() => import('./run.tsx'), 'RunScreen'),
});

const connector = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ice-aktarim/$connectorId',
  validateSearch: searchOf('limit', 'offset'),
  component: lazyScreen(() => import('./detail.tsx'), 'ConnectorScreen'),
});

const editing = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ice-aktarim/$connectorId/duzenle',
  component: lazyScreen(() => import('./form-screens.tsx'), 'EditConnectorScreen'),
});

export const importsRoutes = [connectors, making, runs, run, connector, editing] as const;
