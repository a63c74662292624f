// The states of a list: loading, failed, loaded.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState, SkeletonRows } from './states.tsx';

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** The number of placeholder rows while loading. */
  readonly rows?: number;
  readonly children: (data: Data) => ReactNode;
}

export function Loaded<Data>({ query, rows = 8, children }: LoadedProps<Data>) {
  if (query.isPending) return <SkeletonRows rows={rows} />;
  if (!query.isError) return children(query.data);
  return (
    <div className="card">
      <ErrorState error={query.error} onRetry={query.refetch} />
    </div>
  );
}
