import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const frame = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tahsilat',
  component: lazyRouteComponent(() => import('./frame.tsx'), 'ReceivablesFrame'),
});

const board = createRoute({
  getParentRoute: () => frame,
  path: '/',
  component: lazyRouteComponent(() => import('./board.tsx'), 'BoardScreen'),
});

const aging = createRoute({
  getParentRoute: () => frame,
  path: '/yaslandirma',
  validateSearch: searchOf('sort', 'offset'),
  component: lazyRouteComponent(() => import('./aging.tsx'), 'AgingScreen'),
});

const reminders = createRoute({
  getParentRoute: () => frame,
  path: '/hatirlatmalar',
  validateSearch: searchOf('offset'),
  component: lazyRouteComponent(() => import('./reminders.tsx'), 'RemindersScreen'),
});

const calendar = createRoute({
  getParentRoute: () => frame,
  path: '/takvim',
  validateSearch: searchOf('month', 'day', 'offset'),
  component: lazyRouteComponent(() => import('./calendar.tsx'), 'CalendarScreen'),
});

const cashFlow = createRoute({
  getParentRoute: () => frame,
  path: '/nakit-akisi',
  validateSearch: searchOf('currency'),
  component: lazyRouteComponent(() => import('./cash-flow.tsx'), 'CashFlowScreen'),
});

const till = createRoute({
  getParentRoute: () => frame,
  path: '/kasa',
  validateSearch: searchOf('branch_id', 'day'),
  component: lazyRouteComponent(() => import('./till.tsx'), 'TillScreen'),
});

export const receivablesRoutes = [frame.addChildren([board, reminders, aging, calendar, cashFlow, till])] as const;
