// The PHP client and its examples run where PHP is installed.
import { spawnSync } from 'node:child_process';

/**
 * For `describe.skipIf`: true, with a warning, if PHP is not installed. In CI it is always false: a missing program is a failure
 * there.
 */
export function isPhpMissing(): boolean {
  const missing = spawnSync('php', ['--version']).status !== 0;
  if (!missing || process.env.CI) return false;
  console.warn('SKIPPED: php is not on PATH, so nothing is run through the PHP client (Debian: apt install php-cli)');
  return true;
}
