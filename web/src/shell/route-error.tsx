import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { isReachable, useIsOffline } from '../connection.ts';
import { ScreenNotLoaded } from '../lazy-screen.ts';
import { ErrorState } from '../parts/page/states.tsx';

/** The error of one screen; the frame and other screens still work. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  const isMissing = error instanceof ScreenNotLoaded;
  const retry = async () => {
    // A browser may remember that a file was not there: a screen that was never shown has nothing to lose by a new page.
    if (isMissing) return (await isReachable()) && location.reload();
    queries.reset();
    reset();
    router.invalidate();
  };
  useWhenBack(isMissing);
  return <ErrorState error={error} onRetry={retry} />;
}

/** A screen that failed to load offline is loaded automatically once the network is back. */
function useWhenBack(isMissing: boolean): void {
  const isOffline = useIsOffline();
  const wasOffline = useRef(false);
  useEffect(() => {
    if (isMissing && wasOffline.current && !isOffline) location.reload();
    wasOffline.current = isOffline;
  }, [isMissing, isOffline]);
}
