import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { isReachable } from '../connection.ts';
import { ScreenNotLoaded } from '../lazy-screen.ts';
import { ErrorState } from '../parts/states.tsx';

/** The error of one screen; the frame and other screens still work. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  const retry = async () => {
    // A browser may remember that a file was not there: a screen that was never shown has nothing to lose by a new page.
    if (error instanceof ScreenNotLoaded) return (await isReachable()) && location.reload();
    queries.reset();
    reset();
    router.invalidate();
  };
  return <ErrorState error={error} onRetry={retry} />;
}
