// Whether the window is as narrow as a phone's, where a table is laid out as cards; followed while it changes.
import { useSyncExternalStore } from 'react';

const QUERY = '(width < 640px)';

function subscribe(changed: () => void): () => void {
  const narrow = matchMedia(QUERY);
  narrow.addEventListener('change', changed);
  return () => narrow.removeEventListener('change', changed);
}

export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(QUERY).matches);
