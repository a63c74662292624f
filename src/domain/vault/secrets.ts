// The one root secret and the keys that follow from it. The root lives outside the database: a stolen dump holds nothing usable.
import { hkdfSync, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Secrets {
  /** Pepper of the API keys' hashes. */
  readonly pepper: Buffer;
  /** Personal data and stored secrets: the first of them seals, all of them open. */
  readonly vaults: readonly [VaultSecret, ...VaultSecret[]];
  /** Makes the passwords of the service's own database roles. */
  readonly roles: Buffer;
  /** Makes the tokens by which the panel knows its own forms. */
  readonly panel: Buffer;
  /** Signs the links by which files are read. */
  readonly files: Buffer;
}

export interface VaultSecret {
  /** Stands in front of every value sealed with it. */
  readonly id: number;
  readonly key: Buffer;
  /** Makes the blind indexes by which sealed values are found. */
  readonly index: Buffer;
}

export interface SecretSettings {
  readonly secret: string | null;
  readonly dataDir: string;
  /** Seals instead of the root, so that the vault's key can be changed while API keys and all else stay. */
  readonly vaultSecret: string | null;
  /** One more that opens: the one before while values are sealed anew, or the one to come while nodes are told of it. */
  readonly otherVaultSecret: string | null;
}

export async function readSecrets({ secret, dataDir, vaultSecret, otherVaultSecret }: SecretSettings): Promise<Secrets> {
  return deriveSecrets(await rootSecret(secret, dataDir), vaultSecret, otherVaultSecret);
}

export function deriveSecrets(root: string, vault: string | null = null, other: string | null = null): Secrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', root, 'galeri', purpose, 32));
  const ofRoot = { id: 1, key: derive('vault 1'), index: derive('blind index') };
  const others = other === null ? [] : [vaultOf(other)];
  const vaults = vault === null ? ([ofRoot, ...others] as const) : ([vaultOf(vault), ...others, ofRoot] as const);
  if (new Set(vaults.map(({ id }) => id)).size < vaults.length)
    throw new Error('GALERI_VAULT_SECRET and GALERI_VAULT_SECRET_OTHER cannot be used together; make another one');
  return {
    pepper: derive('api key pepper'),
    vaults,
    roles: derive('database roles'),
    panel: derive('panel forms'),
    files: derive('file links'),
  };
}

/** Its id follows from it, so that no node has to be told which key has which: 2 to 255, 1 is the root's. */
function vaultOf(secret: string): VaultSecret {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'galeri', purpose, 32));
  return { id: 2 + (derive('vault id').readUInt32BE() % 254), key: derive('vault'), index: derive('blind index') };
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
