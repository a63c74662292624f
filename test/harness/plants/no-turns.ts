// Planted: whoever asks first gets a database connection first, as many as it asks for.
import { registerHooks } from 'node:module';

registerHooks({
  load: (url, context, next) =>
    url.endsWith('/src/postgres/fair-queue.ts')
      ? {
          format: 'module',
          shortCircuit: true,
          source: 'export const createFairQueue = () => ({ enter: () => () => {}, waiting: () => 0 });',
        }
      : next(url, context),
});
