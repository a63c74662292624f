// The one root secret and the keys that follow from it. The root lives outside the database: a stolen dump holds nothing usable.
import { hkdfSync, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Secrets {
  /** Pepper of the API keys' hashes. */
  readonly pepper: Buffer;
  /** Encrypts personal data and stored secrets. */
  readonly vault: Buffer;
  /** Makes the blind indexes by which encrypted values are found. */
  readonly index: Buffer;
  /** Makes the passwords of the service's own database roles. */
  readonly roles: Buffer;
  /** Makes the tokens by which the panel knows its own forms. */
  readonly panel: Buffer;
}

export function deriveSecrets(root: string): Secrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', root, 'galeri', purpose, 32));
  return {
    pepper: derive('api key pepper'),
    vault: derive('vault 1'),
    index: derive('blind index'),
    roles: derive('database roles'),
    panel: derive('panel forms'),
  };
}

/** The root from the environment, or one made once and kept in DATA_DIR, readable by its owner alone. */
export async function rootSecret(given: string | null, dataDir: string): Promise<string> {
  if (given !== null) return given;
  const file = join(dataDir, 'secret');
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new Error(`cannot read the secret in ${file}: ${(error as Error).message}`);
  }
  await mkdir(dataDir, { recursive: true });
  const made = randomBytes(32).toString('hex');
  try {
    await writeFile(file, `${made}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // Another process made it first: theirs is the one.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return (await readFile(file, 'utf8')).trim();
    throw error;
  }
  await chmod(file, 0o600);
  return made;
}
