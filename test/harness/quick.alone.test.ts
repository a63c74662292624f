// Three harnesses in the quick tier, without their planted bugs: sums of sales, one effect per key, links that were never issued.
import { QUICK_HARNESSES } from './quick-harnesses.ts';
import { tryHarnesses } from './try-harnesses.ts';

tryHarnesses((name) => QUICK_HARNESSES.includes(name), { plants: false });
