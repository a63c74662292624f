// From a record back to the list it was opened from, as that list was: its filters and page travel with the history entry, so
// that the record's own address stays plain and can be handed on.
import { useLocation } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The search of the list this record was opened from. */
    list?: Readonly<Record<string, string | undefined>>;
  }
}

export function useListBehind(): Readonly<Record<string, string | undefined>> {
  return useLocation({ select: ({ state }) => state.list }) ?? {};
}
