import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const staff = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ekip',
  // The server's own parameter names.
  validateSearch: searchOf('q', 'branch_id', 'role', 'active', 'limit', 'offset'),
  component: lazyScreen(() => import('./staff-screen.tsx'), 'StaffScreen'),
});

const branches = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ekip/subeler',
  validateSearch: searchOf('offset'),
  component: lazyScreen(() => import('./branches-screen.tsx'), 'BranchesScreen'),
});

export const staffRoutes = [staff, branches] as const;
