// Leads from a record back to its list with the same filters and page. They are kept in the history entry, so that the record's
// address stays plain and can be shared.
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
