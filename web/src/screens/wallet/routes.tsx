import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const wallet = createRoute({
  getParentRoute: () => shellRoute,
  path: '/cuzdan',
  validateSearch: searchOf('type', 'from', 'to', 'offset', 'talepler'),
  component: lazyScreen(() => import('./screen.tsx'), 'WalletScreen'),
});

export const walletRoutes = [wallet] as const;
