import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const reports = createRoute({
  getParentRoute: () => shellRoute,
  path: '/raporlar',
  validateSearch: searchOf(
    'report',
    'from',
    'to',
    'group_by',
    'dataset',
    'metrics',
    'then_by',
    'currency',
    'status',
    'convert_to',
    'rate_date',
  ),
  component: lazyScreen(() => import('./screen.tsx'), 'ReportsScreen'),
});

export const reportsRoutes = [reports] as const;
