import { userInfo } from 'node:os';
import type { Actor } from '../domain/writes/audit.ts';

/** Who the audit log names for what is done on the command line. */
export const CLI_ACTOR: Actor = { type: 'cli', name: userName() };

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A numeric user without a name, as containers have.
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}
