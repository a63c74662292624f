// Planted: money fills the newest debt first.
import { registerHooks } from 'node:module';

const ORDER = 'installments.filter(isOpen).toSorted(oldestFirst)';

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.endsWith('/src/domain/installments/allocation.ts')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(ORDER)) throw new Error('the code for this planted bug has changed');
    return { ...loaded, source: source.replace(ORDER, 'installments.filter(isOpen).toSorted((a, b) => oldestFirst(b, a))') };
  },
});
