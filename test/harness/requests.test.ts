import { tryHarnesses } from './try-harnesses.ts';

tryHarnesses('requests');
