import { useTexts } from '../language.ts';
import { Skeleton } from '../parts/page/states.tsx';
import { shellTexts } from '../texts/shell.ts';

/** The frame's shape while the session is loading, so that nothing moves when it arrives. */
export function ShellSkeleton() {
  const t = useTexts(shellTexts);
  return (
    <div role="status" aria-label={t.loading} className="flex min-h-dvh">
      <div className="hidden w-[var(--sidebar)] border-r border-line bg-card lg:block" />
      <div className="min-w-0 flex-1">
        <div className="h-14 border-b border-line bg-card" />
        <div className="mx-auto max-w-[var(--content-max)] px-4 py-5 sm:px-6">
          <Skeleton className="h-8 w-56" />
        </div>
      </div>
    </div>
  );
}
