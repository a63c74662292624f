import { tryHarnesses } from './try-harnesses.ts';

tryHarnesses('races');
