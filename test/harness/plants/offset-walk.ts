// Planted: a walk continues by offset, as if no record were added or removed.
import { registerHooks } from 'node:module';

const WALK = 'if (walk !== undefined) {\n    if (!hasMore) return [];';

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.endsWith('/src/http/api/run-read.ts')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(WALK)) throw new Error('the code for this planted bug has changed');
    return { ...loaded, source: source.replace(WALK, WALK.replace('walk !== undefined', 'walk !== undefined && !hasMore')) };
  },
});
