// The people who sign in to the demonstration's panel: an owner, finance and sales of each dealer and the platform's
// administrator, with one password.
import { randomInt } from 'node:crypto';
import { COMMAND_LINE, createAdmin, createMember, hashPassword, personByEmail, setPassword } from '../domain/identity/people.ts';
import type { Role } from '../domain/identity/roles.ts';
import { foldName } from '../domain/records/person-fields.ts';
import type { Actor } from '../domain/writes/audit.ts';
import type { Database, Db } from '../kit/db.ts';
import { own, sql, theAccount } from '../kit/sql.ts';

export interface DemoSignIn {
  readonly email: string;
  readonly password: string;
  /** The dealer's name, or null for the platform's administrator. */
  readonly account: string | null;
  /** Absent for the platform's administrator. */
  readonly role?: Role;
}

/** Three people for each dealer, so that each role can be tried. */
const STAFF = [
  { role: 'owner', names: ['Defne Aksoy', 'Kerem Yıldız', 'Zehra Özgür'] },
  { role: 'finance', names: ['Emine Şahin', 'Levent Uçar', 'Sibel Taşkın'] },
  { role: 'sales', names: ['Mert Güneş', 'Pınar Koç', 'Tolga Ersoy'] },
] as const;
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
  const add = async (email: string, of: Pick<DemoSignIn, 'account' | 'role'>, create: (db: Db) => Promise<unknown>) => {
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
    if (ours) people.push({ email, password, ...of });
  };
  for (const [index, { id, name }] of dealers.entries()) {
    for (const { role, names } of STAFF) {
      const fullName = names[index % names.length]!;
      const email = `${foldName(fullName).replace(/[^a-z]/g, '.')}@${foldName(name).replace(/[^a-z0-9]/g, '')}.example.com`;
      await add(email, { account: name, role }, (db) => createMember(db, { accountId: id, fullName, role, email }, hash, ACTOR));
    }
    await database.inTenant(id, 'write', giveSales);
  }
  const email = 'yonetici@galeri.example.com';
  await add(email, { account: null }, (db) => createAdmin(db, email, hash, ACTOR, 'Platform Yöneticisi'));
  return people;
}

/** The salesperson has made every second sale, and the owner the others. */
const giveSales = (db: Db): Promise<unknown> =>
  db.exec(sql`update sales set salesperson_id = seller.id from (
      select sold.id as sale_id, staff.id from (select id, row_number() over (order by sale_no) % 2 as turn from ${own('sales')}
        where salesperson_id is null) sold
      join (select id, case role when 'sales' then 0 else 1 end as turn from ${own('members')}
        where role in ('owner', 'sales') and active and person_id is not null) staff on staff.turn = sold.turn) seller
    where account_id = ${theAccount} and sales.id = seller.sale_id`);

export const countDemoPeople = (db: Db): Promise<{ people: number; administrators: number }> =>
  db.one(sql`select count(*)::int as people, count(*) filter (where is_admin)::int as administrators
    from people where is_demo and disabled_at is null`);

/** The people of the file who still exist and may sign in. */
export async function openSignIns(db: Db, kept: readonly DemoSignIn[]): Promise<DemoSignIn[]> {
  const found = await db.rows<{ email: string }>(sql`select email from people where is_demo and disabled_at is null`);
  const there = new Set(found.map(({ email }) => email));
  return kept.filter(({ email }) => there.has(email));
}
