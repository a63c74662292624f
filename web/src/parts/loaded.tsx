// A list in its states: on its way, not reachable, there.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState, SkeletonRows } from './states.tsx';

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** How many rows' room is held until it is there. */
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
