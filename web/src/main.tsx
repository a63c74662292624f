// The panel's start: one query client, one router, one tree.
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isSandbox } from './environment.ts';
import { keepOfflinePage } from './offline.ts';
import { followOtherWindows } from './preferences.ts';
import { queryClient } from './query-client.ts';
import { router } from './routes.tsx';
import { sessionQuery } from './session.ts';
import './style/panel.css';

followOtherWindows();
// Styles mark the sandbox everywhere.
if (isSandbox()) document.documentElement.dataset.environment = 'sandbox';

// Requested early, while the code of the first screen is still loading.
queryClient.prefetchQuery(sessionQuery);

keepOfflinePage();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
