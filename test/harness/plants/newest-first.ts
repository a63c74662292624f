// Planted: money fills the newest debt first.
import { registerHooks } from 'node:module';

const ORDER = 'rows.filter(isOpen).toSorted(oldestFirst)';

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.endsWith('/src/domain/installments/allocation.ts')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(ORDER)) throw new Error('there is nothing to plant this bug in any more');
    return { ...loaded, source: source.replace(ORDER, 'rows.filter(isOpen).toSorted((a, b) => oldestFirst(b, a))') };
  },
});
