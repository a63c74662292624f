// No dealer sees another, with both belts: what either holds back alone, both do, so fewer words are asked for here.
import { describe } from 'vitest';
import { holds } from './isolation-walk.ts';

describe('with both belts', () => holds({ rls: true, ownRows: true }, { isBrief: true }));
