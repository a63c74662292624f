import { tryHarnesses } from './try-harnesses.ts';

tryHarnesses('mirrors');
