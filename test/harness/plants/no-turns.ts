// Planted: database connections go to the first to ask, without a limit.
import { registerHooks } from 'node:module';

registerHooks({
  load: (url, context, next) =>
    url.endsWith('/src/postgres/fair-queue.ts')
      ? {
          format: 'module',
          shortCircuit: true,
          source:
            'export const MAX_WAIT_MS = 1000; export const createFairQueue = () => ({ enter: () => () => {}, waiting: () => 0 });',
        }
      : next(url, context),
});
