// Live deliveries: the server says that something changed, and the screen fetches its data again.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { addressOf } from '../../api.ts';

/** Polling intervals: without a stream (too many are open, a proxy blocks it), and with one in case a message was lost. */
const ASK_MS = { without: 3000, with: 30_000 } as const;
const RETRY_MS = 5000;

/** The polling interval; false while the page is hidden. */
export function useDeliveriesLive(webhookId: string, isWatching: boolean): number | false {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isWatching) return;
    const refresh = () => {
      for (const queryKey of [['deliveries', webhookId], ['delivery'], ['delivery-attempts'], ['webhook', webhookId]])
        void askAgain(client, queryKey);
    };
    const stop = follow(addressOf('GET webhooks/{webhook_id}/live', { params: { webhook_id: webhookId } }), refresh, setOpen);
    return () => {
      stop();
      setOpen(false);
    };
  }, [client, webhookId, isWatching]);
  if (!isWatching) return false;
  return isOpen ? ASK_MS.with : ASK_MS.without;
}

/**
 * A first fetch is not cancelled and may have been answered just before the change, so the data is fetched once more after it.
 */
async function askAgain(client: QueryClient, queryKey: readonly string[]): Promise<void> {
  const underWay = client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' });
  const isFirst = underWay.some(({ state }) => state.data === undefined);
  await client.invalidateQueries({ queryKey });
  if (isFirst) await client.invalidateQueries({ queryKey });
}

/** Returns a function that stops it. Refreshes once the stream is open, because changes may have been missed before. */
function follow(address: string, refresh: () => void, setOpen: (is: boolean) => void): () => void {
  let source: EventSource | null = null;
  let again: ReturnType<typeof setTimeout> | undefined;
  const connect = () => {
    source = new EventSource(address);
    source.onopen = () => {
      setOpen(true);
      refresh();
    };
    source.addEventListener('changed', refresh);
    source.addEventListener('gone', stop);
    source.onerror = () => {
      source?.close();
      setOpen(false);
      again = setTimeout(connect, RETRY_MS);
    };
  };
  const stop = () => {
    clearTimeout(again);
    source?.close();
  };
  connect();
  return stop;
}
