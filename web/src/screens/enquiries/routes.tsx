import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const enquiries = createRoute({
  getParentRoute: () => shellRoute,
  path: '/adaylar',
  // The endpoint's own parameter names, the form of the screen, and the open enquiry.
  validateSearch: searchOf('stage', 'source', 'owner_id', 'gorunum', 'limit', 'offset', 'aday'),
  component: lazyScreen(() => import('./screen.tsx'), 'EnquiriesScreen'),
});

export const enquiriesRoutes = [enquiries] as const;
