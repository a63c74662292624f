// Planted: every other reversal is acknowledged and not committed.
import { registerHooks } from 'node:module';

const COMMITTED = 'if (isDry) {';
const LOST =
  "if (isDry || (row.id === 'POST collections/{collection_id}/reverse' && (globalThis.reversals = -~globalThis.reversals) % 2 === 1)) {";

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.endsWith('/src/http/api/run-write.ts')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(COMMITTED)) throw new Error('the code for this planted bug has changed');
    return { ...loaded, source: source.replace(COMMITTED, LOST) };
  },
});
