// No dealer sees another, with both layers: what either blocks alone, both do, so fewer words are requested here.
import { describe } from 'vitest';
import { holds } from './isolation-walk.ts';

describe('with both layers', () => holds({ rls: true, ownRows: true }, { isBrief: true }));
