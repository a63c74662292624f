import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';
import { LOG_SEARCH } from './search.ts';

const logs = createRoute({
  getParentRoute: () => shellRoute,
  path: '/loglar',
  validateSearch: searchOf(...LOG_SEARCH),
  component: lazyScreen(() => import('./screen.tsx'), 'LogsScreen'),
});

export const logsRoutes = [logs] as const;
