import { userInfo } from 'node:os';
import type { Actor } from '../domain/writes/audit.ts';

/** The actor in the audit log for commands. */
export const CLI_ACTOR: Actor = { type: 'cli', name: userName() };

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // Containers may run as a numeric user without a name.
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}
