// Who signs in to the demonstration's panel: the owner of each dealer and the platform's administrator, one password for all.
import { randomInt } from 'node:crypto';
import type { Database } from '../kit/db.ts';
import type { Actor } from './audit.ts';
import { foldName } from './customer.ts';
import { createAdmin, createOwner, hashPassword, personByEmail, setPassword } from './people.ts';

export interface DemoSignIn {
  readonly email: string;
  readonly password: string;
  /** The dealer's name, or null for the platform's administrator. */
  readonly account: string | null;
}

const OWNERS = ['Defne Aksoy', 'Kerem Yıldız', 'Zehra Özgür'] as const;
const ACTOR: Actor = { type: 'system', name: 'demo' };

/** Every deployment has its own: a demonstration that is reachable by others is not open to everyone who knows ours. */
export function newDemoPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
  return `galeri-${group()}-${group()}`;
}

/** Made where they are missing; those who are there get this password. */
export async function loadDemoPeople(
  database: Database,
  dealers: readonly { readonly id: string; readonly name: string }[],
  password: string,
): Promise<DemoSignIn[]> {
  const hash = await hashPassword(password);
  const people: DemoSignIn[] = [];
  for (const [index, { id, name }] of dealers.entries()) {
    const fullName = OWNERS[index % OWNERS.length]!;
    const email = `${foldName(fullName).replace(/[^a-z]/g, '.')}@${foldName(name).replace(/[^a-z0-9]/g, '')}.example.com`;
    await database.onPlatform('write', async (db) => {
      const known = await personByEmail(db, email);
      if (known === null) await createOwner(db, id, email, hash, ACTOR, fullName);
      else await setPassword(db, known.id, hash, null);
    });
    people.push({ email, password, account: name });
  }
  const email = 'yonetici@galeri.example.com';
  await database.onPlatform('write', async (db) => {
    const known = await personByEmail(db, email);
    if (known === null) await createAdmin(db, email, hash, ACTOR, 'Platform Yöneticisi');
    else await setPassword(db, known.id, hash, null);
  });
  return [...people, { email, password, account: null }];
}
