import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const staff = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ekip',
  // The server's own parameter names. `davet`: the open invitation dialog, for a new person (`yeni`) or for a member of the staff
  // (their id, with name and role).
  validateSearch: searchOf('q', 'branch_id', 'role', 'active', 'limit', 'offset', 'davet', 'ad', 'rol'),
  component: lazyScreen(() => import('./staff-screen.tsx'), 'StaffScreen'),
});

const branches = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ekip/subeler',
  validateSearch: searchOf('offset'),
  component: lazyScreen(() => import('./branches-screen.tsx'), 'BranchesScreen'),
});

export const staffRoutes = [staff, branches] as const;
