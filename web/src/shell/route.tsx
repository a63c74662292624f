// The parent route of all screens: it has the session and shows the frame.
import { createRoute } from '@tanstack/react-router';
import { Suspense } from 'react';
import { queryClient } from '../query-client.ts';
import { sessionQuery } from '../session.ts';
import { rootRoute } from './root.tsx';
import { Shell } from './shell.tsx';
import { ShellSkeleton } from './shell-skeleton.tsx';

export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  loader: () => queryClient.ensureQueryData(sessionQuery),
  pendingMs: 0,
  pendingComponent: ShellSkeleton,
  component: () => (
    <Suspense fallback={<ShellSkeleton />}>
      <Shell />
    </Suspense>
  ),
});
