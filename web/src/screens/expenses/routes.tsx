import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';
import { EXPENSE_SEARCH } from './search.ts';

const expenses = createRoute({
  getParentRoute: () => shellRoute,
  path: '/giderler',
  validateSearch: searchOf(...EXPENSE_SEARCH),
  component: lazyScreen(() => import('./screen.tsx'), 'ExpensesScreen'),
});

const recurring = createRoute({
  getParentRoute: () => shellRoute,
  path: '/giderler/duzenli',
  component: lazyScreen(() => import('./recurring.tsx'), 'RecurringScreen'),
});

export const expensesRoutes = [expenses, recurring] as const;
