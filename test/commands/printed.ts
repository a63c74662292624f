// The output of a command that runs in this process.
import { vi } from 'vitest';

export async function printed(run: () => Promise<unknown>): Promise<string> {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  try {
    await run();
  } finally {
    spy.mockRestore();
  }
  return lines.join('');
}
