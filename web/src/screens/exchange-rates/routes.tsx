import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const rates = createRoute({
  getParentRoute: () => shellRoute,
  path: '/kur',
  validateSearch: searchOf('source', 'pair', 'range', 'from', 'to', 'offset'),
  component: lazyScreen(() => import('./screen.tsx'), 'RatesScreen'),
});

export const ratesRoutes = [rates] as const;
