// A writer on any database, for tests and children without a service.
import { CONSEQUENCES } from '../../src/domain/consequences.ts';
import { createWriter, type Writer, type WriterParts } from '../../src/domain/writes/write.ts';
import { createClock } from '../../src/kit/clock.ts';

export const testWriter = (parts: Pick<WriterParts, 'database' | 'secrets'> & Partial<WriterParts>): Writer =>
  createWriter({ clock: createClock(), loopbackTargets: false, consequences: CONSEQUENCES, ...parts });
