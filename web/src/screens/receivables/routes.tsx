import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const frame = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tahsilat',
  component: lazyScreen(() => import('./frame.tsx'), 'ReceivablesFrame'),
});

const board = createRoute({
  getParentRoute: () => frame,
  path: '/',
  validateSearch: searchOf('lane', 'q', 'sort', 'mine', 'branch_id'),
  component: lazyScreen(() => import('./board.tsx'), 'BoardScreen'),
});

const aging = createRoute({
  getParentRoute: () => frame,
  path: '/yaslandirma',
  validateSearch: searchOf('sort', 'offset'),
  component: lazyScreen(() => import('./aging.tsx'), 'AgingScreen'),
});

const reminders = createRoute({
  getParentRoute: () => frame,
  path: '/hatirlatmalar',
  validateSearch: searchOf('offset'),
  component: lazyScreen(() => import('./reminders.tsx'), 'RemindersScreen'),
});

const calendar = createRoute({
  getParentRoute: () => frame,
  path: '/takvim',
  validateSearch: searchOf('month', 'day', 'offset'),
  component: lazyScreen(() => import('./calendar.tsx'), 'CalendarScreen'),
});

const cashFlow = createRoute({
  getParentRoute: () => frame,
  path: '/nakit-akisi',
  validateSearch: searchOf('currency'),
  component: lazyScreen(() => import('./cash-flow.tsx'), 'CashFlowScreen'),
});

const till = createRoute({
  getParentRoute: () => frame,
  path: '/kasa',
  validateSearch: searchOf('branch_id', 'day'),
  component: lazyScreen(() => import('./till.tsx'), 'TillScreen'),
});

export const receivablesRoutes = [frame.addChildren([board, reminders, aging, calendar, cashFlow, till])] as const;
