// The Python client and its examples run where Python is installed.
import { execFile, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

export const PYTHON_CLIENT = resolve(import.meta.dirname, '../../sdk/python');

/**
 * For `describe.skipIf`: true, with a warning, if Python is not installed. In CI it is always false: a missing program is a failure
 * there.
 */
export function isPythonMissing(): boolean {
  const missing = spawnSync('python3', ['--version']).status !== 0;
  if (!missing || process.env.CI) return false;
  console.warn('SKIPPED: python3 is not on PATH, so nothing is run through the Python client (Debian: apt install python3)');
  return true;
}

/** Runs a program with the client of this checkout; warnings are failures. */
export async function python(
  program: string,
  env: Record<string, string>,
  input = '',
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const running = promisify(execFile)('python3', ['-B', '-W', 'error', program], {
    env: { ...process.env, PYTHONPATH: PYTHON_CLIENT, PYTHONIOENCODING: 'utf-8', ...env },
  });
  running.child.stdin!.end(input);
  return running;
}
