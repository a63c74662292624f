import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const wallet = createRoute({
  getParentRoute: () => shellRoute,
  path: '/cuzdan',
  validateSearch: searchOf('type', 'from', 'to', 'offset', 'talepler'),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'WalletScreen'),
});

export const walletRoutes = [wallet] as const;
