// What an operator sees when a connection is refused: one line, without the password.
import type { Connected } from '../../src/postgres/connect.ts';

export async function withoutDatabase(open: () => Promise<Connected>): Promise<string> {
  const opened = await open().catch((error: Error) => error);
  if (opened instanceof Error) {
    if (opened.message.includes('\n')) throw new Error(`more than one line: ${opened.message}`);
    return opened.message;
  }
  await opened.close();
  throw new Error('it was not refused');
}
