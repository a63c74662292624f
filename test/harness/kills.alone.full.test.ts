import { inGroup, tryHarnesses } from './try-harnesses.ts';

tryHarnesses(inGroup('kills'));
