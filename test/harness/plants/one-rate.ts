// Planted: totals are valued as if every currency were the requested one.
import { registerHooks } from 'node:module';

const VALUED = 'row.currency, into)';

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.endsWith('/src/domain/reports/report-frame.ts')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(VALUED)) throw new Error('the code for this planted bug has changed');
    return { ...loaded, source: source.replace(VALUED, 'into, into)') };
  },
});
