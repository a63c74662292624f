import { isSandbox } from '../environment.ts';
import { useTexts } from '../language.ts';
import { Skeleton } from '../parts/page/states.tsx';
import { shellTexts } from '../texts/shell.ts';

/** The frame's shape while the session is loading, so that nothing moves when it arrives. */
export function ShellSkeleton() {
  const t = useTexts(shellTexts);
  return (
    <div role="status" aria-label={isSandbox() ? t.openingSandbox : t.loading}>
      {/* The first time it is made, which takes seconds. */}
      {isSandbox() && (
        <p className="m-0 flex h-(--band) items-center bg-sandbox px-4 text-13 text-on-sandbox">{t.openingSandbox}</p>
      )}
      <div className="flex min-h-[calc(100dvh-var(--band))]">
        <div className="hidden w-[var(--sidebar)] border-r border-line bg-card lg:block" />
        <div className="min-w-0 flex-1">
          <div className="h-14 border-b border-line bg-card" />
          <div className="mx-auto max-w-[var(--content-max)] px-4 py-5 sm:px-6">
            <Skeleton className="h-8 w-56" />
          </div>
        </div>
      </div>
    </div>
  );
}
