// The effect of a form, computed by the server without storing anything and shown while the form is filled in.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

export interface DryRun<Reply> {
  /** The answer to the form as it is now, or to how it was a moment ago while `isBehind`. */
  readonly reply: Reply | undefined;
  readonly error: Error | null;
  readonly isBehind: boolean;
}

type SendDry<Body, Reply> = (body: Body, headers: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<Reply>;

const PAUSE = 300;

/** `body` is null while the form is not filled in far enough to be asked about. */
export function useDryRun<Body, Reply>(name: string, body: Body | null, send: SendDry<Body, Reply>): DryRun<Reply> {
  const now = body === null ? null : JSON.stringify(body);
  const settled = useSettled(now, PAUSE);
  const query = useQuery({
    queryKey: ['dry-run', name, settled],
    queryFn: ({ signal }) =>
      send(JSON.parse(settled!) as Body, { 'X-Dry-Run': 'true', 'Idempotency-Key': crypto.randomUUID() }, signal),
    enabled: settled !== null,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  if (now === null) return { reply: undefined, error: null, isBehind: false };
  return { reply: query.data, error: query.error, isBehind: now !== settled || query.isFetching };
}

/** The value once it has not changed for a while. */
function useSettled<T>(value: T, pause: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause);
    return () => clearTimeout(timer);
  }, [value, pause]);
  return settled;
}
