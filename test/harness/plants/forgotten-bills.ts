// Planted: bills that were paid in cash are not missing in the till.
import { registerHooks } from 'node:module';

const LEFT = 'where branch_id = ${branchId} and method = ${CASH}';

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.endsWith('/src/domain/receivables/till-money.ts')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(LEFT)) throw new Error('the code for this planted bug has changed');
    return { ...loaded, source: source.replace(LEFT, `${LEFT} and amount_minor < 0`) };
  },
});
