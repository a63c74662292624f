// Everything that ends by time, in the order in which it is ended.
import type { Ending } from './due.ts';

export const ENDINGS: readonly Ending[] = [];
