// Whether the server is reached: what the browser says, and what happened to the last call.
import { useSyncExternalStore } from 'react';

let isCut = false;
const listeners = new Set<() => void>();

function set(cut: boolean): void {
  if (cut === isCut) return;
  isCut = cut;
  for (const listener of listeners) listener();
}

/** A call got no answer; one that was called off says nothing. */
export function notReached(error: unknown): void {
  if (!(error instanceof DOMException && error.name === 'AbortError')) set(true);
}
export const reached = (): void => set(false);

function subscribe(listener: () => void): () => void {
  const lose = () => set(true);
  listeners.add(listener);
  addEventListener('offline', lose);
  addEventListener('online', isReachable);
  return () => {
    listeners.delete(listener);
    removeEventListener('offline', lose);
    removeEventListener('online', isReachable);
  };
}

export const useIsOffline = (): boolean => useSyncExternalStore(subscribe, () => isCut);

/** Asks the server for the smallest thing it has. */
export async function isReachable(): Promise<boolean> {
  try {
    await fetch('/healthz', { method: 'HEAD', cache: 'no-store' });
    reached();
    return true;
  } catch (error) {
    notReached(error);
    return false;
  }
}
