import { createRoute, notFound } from '@tanstack/react-router';
import { isSandbox } from '../../environment.ts';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

/** Live data has no clock to move. */
const onlyInSandbox = (): void => {
  if (!isSandbox()) throw notFound();
};

const overview = createRoute({
  getParentRoute: () => shellRoute,
  path: '/kontrol',
  beforeLoad: onlyInSandbox,
  component: lazyScreen(() => import('./screen.tsx'), 'SandboxScreen'),
});
const messages = createRoute({
  getParentRoute: () => shellRoute,
  path: '/kontrol/mesajlar',
  validateSearch: searchOf('kanal', 'alici', 'offset'),
  beforeLoad: onlyInSandbox,
  component: lazyScreen(() => import('./messages.tsx'), 'MessagesScreen'),
});
const rules = createRoute({
  getParentRoute: () => shellRoute,
  path: '/kontrol/kurallar',
  beforeLoad: onlyInSandbox,
  component: lazyScreen(() => import('./rules.tsx'), 'RulesScreen'),
});

export const sandboxRoutes = [overview, messages, rules] as const;
