// What a screen shows instead of its data: empty, failed, loading.
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { partsTexts } from '../../texts/parts.ts';
import { Button } from '../button.tsx';
import { CopyButton } from '../copy-button.tsx';

/** One sentence and the next step. */
export function EmptyState({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-12 text-center">
      <p className="m-0 text-16 font-medium">{title}</p>
      {children && <div className="max-w-[56ch] text-text-2">{children}</div>}
      {action && <div className="flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/** The cause, the next step, and the request id to quote. */
export function ErrorState({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const t = useTexts(partsTexts);
  const known = error instanceof ApiError ? error : null;
  // The person has the right, and did not give the password when it was asked for again.
  const isPassword = known?.code === 'reauthentication_required';
  const isForbidden = known?.status === 403 && !isPassword;
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-6 py-12 text-center">
      <p className="m-0 text-16 font-medium">{isForbidden ? t.forbidden : isPassword ? t.reauthTitle : t.failed}</p>
      <p className="m-0 max-w-[56ch] text-text-2">{known ? known.message : t.offline}</p>
      {known?.requestId && (
        <p className="m-0 flex flex-wrap items-center justify-center gap-1 text-13 text-text-2">
          {t.requestId}: <span className="code wrap-anywhere">{known.requestId}</span>
          <CopyButton text={known.requestId} />
        </p>
      )}
      {/* A right one does not have is not gained by asking again. */}
      {onRetry && !isForbidden && (
        <Button icon={RotateCw} onClick={onRetry}>
          {t.retry}
        </Button>
      )}
    </div>
  );
}

/** A placeholder of the final size: `<Skeleton className="h-8 w-40" />`. */
export function Skeleton({ className }: { readonly className: string }) {
  return <div aria-hidden className={`skeleton ${className}`} />;
}

/** Placeholder rows of a list. */
export function SkeletonRows({ rows = 8 }: { readonly rows?: number }) {
  const t = useTexts(partsTexts);
  return (
    <div role="status" aria-label={t.loading} className="card divide-y divide-line">
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div key={row} className="flex h-[var(--row)] items-center gap-4 px-3">
          <Skeleton className="h-3.5 w-1/4" />
          <Skeleton className="h-3.5 w-1/3" />
          <Skeleton className="ml-auto h-3.5 w-16" />
        </div>
      ))}
    </div>
  );
}
