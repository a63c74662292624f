// The parent route of all screens: it has the session and shows the frame.
import { createRoute } from '@tanstack/react-router';
import { Suspense } from 'react';
import { isSandbox } from '../environment.ts';
import { queryClient } from '../query-client.ts';
import { sessionQuery } from '../session.ts';
import { rootRoute } from './root.tsx';
import { RouteError } from './route-error.tsx';
import { SandboxRefused } from './sandbox-refused.tsx';
import { Shell } from './shell.tsx';
import { ShellSkeleton } from './shell-skeleton.tsx';

export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  loader: () => queryClient.ensureQueryData(sessionQuery),
  pendingMs: 0,
  pendingComponent: ShellSkeleton,
  errorComponent: (props) => (isSandbox() ? <SandboxRefused error={props.error} /> : <RouteError {...props} />),
  component: () => (
    <Suspense fallback={<ShellSkeleton />}>
      <Shell />
    </Suspense>
  ),
});
