// Three harnesses in the quick tier, without their planted bugs: sums of sales, one effect per key, links that were never issued.
import { tryHarnesses } from './try-harnesses.ts';

tryHarnesses((name) => ['arithmetic', 'idem-race', 'links'].includes(name), { plants: false });
