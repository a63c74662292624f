// Planted: what pays the price of a car is counted as a further cost of it.
import { registerHooks } from 'node:module';

const LEFT_OUT = ' and category <> ${PURCHASE_PAYMENT} group by vehicle_id';

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.endsWith('/src/domain/reports/car-cost.ts')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(LEFT_OUT)) throw new Error('the code for this planted bug has changed');
    return { ...loaded, source: source.replace(LEFT_OUT, ' group by vehicle_id') };
  },
});
