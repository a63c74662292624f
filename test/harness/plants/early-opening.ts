// Planted: a sandbox with sample data is opened before its photos and papers are stored.
import { registerHooks } from 'node:module';

const FILLED = 'fillAll(work, world, now, (works) => loadSample(works, dealers, now)));';
const COMPLETE = 'return complete(work);';

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.endsWith('/src/sandbox/create-world.ts')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(FILLED) || !source.includes(COMPLETE)) throw new Error('the code for this planted bug has changed');
    const early = source
      .replace(
        FILLED,
        'fillAll(work, world, now, async (works) => { await loadSample(works, dealers, now); world.opened = await complete(work); }));',
      )
      .replace(COMPLETE, 'return world.opened;');
    return { ...loaded, source: early };
  },
});
