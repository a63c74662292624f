// The people who sign in to the demonstration's panel: the owner of each dealer and the platform's administrator, with one
// password.
import { randomInt } from 'node:crypto';
import { COMMAND_LINE, createAdmin, createOwner, hashPassword, personByEmail, setPassword } from '../domain/identity/people.ts';
import { foldName } from '../domain/records/person-fields.ts';
import type { Actor } from '../domain/writes/audit.ts';
import type { Database, Db } from '../kit/db.ts';
import { sql } from '../kit/sql.ts';

export interface DemoSignIn {
  readonly email: string;
  readonly password: string;
  /** The dealer's name, or null for the platform's administrator. */
  readonly account: string | null;
}

const OWNERS = ['Defne Aksoy', 'Kerem Yıldız', 'Zehra Özgür'] as const;
const ACTOR: Actor = { type: 'system', name: 'demo' };

/** Each deployment generates its own password, so that a reachable demonstration cannot be opened with a well-known one. */
export function newDemoPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
  return `galeri-${group()}-${group()}`;
}

/** Creates missing people and sets this password for the others. A person who only has the same address is not changed. */
export async function loadDemoPeople(
  database: Database,
  dealers: readonly { readonly id: string; readonly name: string }[],
  password: string,
): Promise<DemoSignIn[]> {
  const hash = await hashPassword(password, COMMAND_LINE);
  const people: DemoSignIn[] = [];
  const add = async (email: string, account: string | null, create: (db: Db) => Promise<unknown>) => {
    const ours = await database.onPlatform('write', async (db) => {
      if ((await personByEmail(db, email)) === null) {
        await create(db);
        await db.exec(sql`update people set is_demo = true where email = ${email}`);
      }
      const [demo] = await db.rows<{ id: string }>(
        sql`select id from people where lower(email) = lower(${email}) and is_demo and disabled_at is null`,
      );
      if (demo !== undefined) await setPassword(db, demo.id, hash, null);
      return demo !== undefined;
    });
    if (ours) people.push({ email, password, account });
  };
  for (const [index, { id, name }] of dealers.entries()) {
    const fullName = OWNERS[index % OWNERS.length]!;
    const email = `${foldName(fullName).replace(/[^a-z]/g, '.')}@${foldName(name).replace(/[^a-z0-9]/g, '')}.example.com`;
    await add(email, name, (db) => createOwner(db, id, email, hash, ACTOR, fullName));
  }
  const email = 'yonetici@galeri.example.com';
  await add(email, null, (db) => createAdmin(db, email, hash, ACTOR, 'Platform Yöneticisi'));
  return people;
}

export const countDemoPeople = (db: Db): Promise<{ people: number; administrators: number }> =>
  db.one(sql`select count(*)::int as people, count(*) filter (where is_admin)::int as administrators
    from people where is_demo and disabled_at is null`);

/** The people of the file who still exist and may sign in. */
export async function openSignIns(db: Db, kept: readonly DemoSignIn[]): Promise<DemoSignIn[]> {
  const found = await db.rows<{ email: string }>(sql`select email from people where is_demo and disabled_at is null`);
  const there = new Set(found.map(({ email }) => email));
  return kept.filter(({ email }) => there.has(email));
}
