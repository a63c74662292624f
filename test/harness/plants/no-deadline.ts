// Planted: a node waits for an answer of the database for as long as it takes.
import { registerHooks } from 'node:module';

const DUE = 'if (one.ticks * TICK_MS <= deadlineMs) continue;';

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.endsWith('/src/postgres/silence.ts')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(DUE)) throw new Error('the code for this planted bug has changed');
    return { ...loaded, source: source.replace(DUE, 'if (one.ticks >= 0) continue;') };
  },
});
