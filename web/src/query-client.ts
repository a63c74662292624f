// The cache of server replies. Only reads that got no answer are retried automatically.
import { notifyManager, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';

// A click is known to its button before the next click can come: a double click sends once.
notifyManager.setScheduler(queueMicrotask);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => !(error instanceof ApiError) && failures < 2,
      refetchOnWindowFocus: true,
      // Without a network a screen says so at once, instead of waiting silently.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
