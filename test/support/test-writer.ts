// A writer on any database, for tests and children that have no service.
import { CONSEQUENCES } from '../../src/domain/consequences.ts';
import { createWriter, type Writer, type WriterParts } from '../../src/domain/writes/write.ts';

export const testWriter = (parts: Pick<WriterParts, 'database' | 'secrets'> & Partial<WriterParts>): Writer =>
  createWriter({ loopbackTargets: false, consequences: CONSEQUENCES, ...parts });
