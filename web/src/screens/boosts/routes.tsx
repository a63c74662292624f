import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const boosts = createRoute({
  getParentRoute: () => shellRoute,
  path: '/boost',
  // `ilan`: the listing for which the form opens at once.
  validateSearch: searchOf('status', 'offset', 'ilan'),
  component: lazyScreen(() => import('./screen.tsx'), 'BoostsScreen'),
});

export const boostsRoutes = [boosts] as const;
