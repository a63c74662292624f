import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const tasks = createRoute({
  getParentRoute: () => shellRoute,
  path: '/gorevler',
  // The API's own parameter names, and the open task.
  validateSearch: searchOf(
    'status',
    'assignee_id',
    'priority',
    'overdue',
    'due_before',
    'customer_id',
    'vehicle_id',
    'limit',
    'offset',
    'gorev',
  ),
  component: lazyScreen(() => import('./screen.tsx'), 'TasksScreen'),
});

export const tasksRoutes = [tasks] as const;
