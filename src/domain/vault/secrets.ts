// The root secret and the keys derived from it. The root is not in the database, so a stolen dump is useless.
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Secrets {
  /** The pepper for hashes of API keys. */
  readonly pepper: Buffer;
  /** Keys for personal data and stored secrets: the first one encrypts, all of them decrypt. */
  readonly vaults: readonly [VaultSecret, ...VaultSecret[]];
  /** The passwords of the service's database roles are derived from it. */
  readonly roles: Buffer;
  /** Signs the panel's CSRF tokens. */
  readonly panel: Buffer;
  /** Signs the links to files. */
  readonly files: Buffer;
  /** Signs the cursors of lists. */
  readonly cursors: Buffer;
  /** Signs the tokens that confirm an agent's preview. */
  readonly agents: Buffer;
}

export interface VaultSecret {
  /** The first byte of every value encrypted with it. */
  readonly id: number;
  readonly key: Buffer;
  /** The key of the blind indexes, which find encrypted values. */
  readonly index: Buffer;
}

export interface SecretSettings {
  readonly secret: string | null;
  readonly dataDir: string;
  /** Encrypts instead of the root, so that the vault's key can be changed without changing API keys and the rest. */
  readonly vaultSecret: string | null;
  /** Another secret that decrypts: the previous one during `vault reseal`, or the next one while nodes are being configured. */
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
    throw new Error('GALERI_VAULT_SECRET and GALERI_VAULT_SECRET_OTHER have the same internal id; generate another new secret');
  return {
    pepper: derive('api key pepper'),
    vaults,
    roles: derive('database roles'),
    panel: derive('panel forms'),
    files: derive('file links'),
    cursors: derive('list cursors'),
    agents: derive('agent previews'),
  };
}

/** The id is derived from the secret, so that all nodes agree on it: 2 to 255, because 1 is the root's. */
function vaultOf(secret: string): VaultSecret {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'galeri', purpose, 32));
  return { id: 2 + (derive('vault id').readUInt32BE() % 254), key: derive('vault'), index: derive('blind index') };
}

/** Shows whether two deployments encrypt with the same secret. */
export const vaultMark = ({ vaults: [first] }: Pick<Secrets, 'vaults'>): string =>
  createHmac('sha256', first.key).update('vault mark').digest('hex').slice(0, 16);

/** The root secret from the environment, or one that is generated once and stored in DATA_DIR, readable by its owner only. */
export async function rootSecret(value: string | null, dataDir: string): Promise<string> {
  if (value !== null) return value;
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
    // Another process created it first, so theirs is used.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return (await readFile(file, 'utf8')).trim();
    throw error;
  }
  await chmod(file, 0o600);
  return made;
}
