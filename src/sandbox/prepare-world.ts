// The first step of making a world: its accounts, data sets, branches and staff, in one transaction on the platform connection. The world is out
// of reach until it is opened (open_world), and is cleared away if it never is.
import { newDemoPerson } from '../demo/demo-customer.ts';
import type { DemoDealer } from '../demo/demo-dealer.ts';
import { idOf } from '../demo/demo-random.ts';
import type { Country } from '../domain/accounts/accounts.ts';
import { ROLES } from '../domain/identity/roles.ts';
import { showWorlds } from '../domain/worlds/world.ts';
import type { WorldData } from '../domain/worlds/world-states.ts';
import type { Times } from '../kit/clock.ts';
import type { Db } from '../kit/db.ts';
import { sql } from '../kit/sql.ts';
import { dealersOf, type WorldDealers } from './world-dealers.ts';

/** Version of the sample data; raised with every change of it. */
export const DATA_VERSION = 1;

/** By mail, which goes to the drop: an integrator without the panel sees reminders too. */
const REMINDERS = [-3, 0, 3, 10].map((day) => ({ day, channel: 'E-posta', active: true }));

export interface PreparedWorld {
  readonly id: string;
  readonly dealers: WorldDealers;
  readonly timezone: string;
  /** Business time at which it begins. */
  readonly now: Date;
}

interface Owner {
  readonly name: string;
  readonly city: string | null;
  readonly country: Country;
  readonly timezone: string;
}

/** On the platform connection. Fails with not_found if there is no such account in production. */
export async function prepareWorld(
  db: Db,
  world: { readonly id: string; readonly ownerId: string; readonly data: WorldData },
  { now: asked, realNow }: Times,
): Promise<PreparedWorld> {
  const { id, ownerId, data } = world;
  showWorlds(db);
  const owner = await db.one<Owner>(
    sql`select name, city, country, timezone from accounts where id = ${ownerId} and world_id is null`,
  );
  const dealers = dealersOf(id, owner);
  // A rehearsal's clock may be ahead. A world never begins after the database's time, which every reading of its clock shows.
  const { now, offset } = await db.one<{ now: Date; offset: bigint }>(
    sql`select least(${asked}, business_now()) as now, greatest(0, offset_ms) as offset from test_clock`,
  );
  await db.exec(sql`insert into worlds (id, owner_id, data, data_version, created_at, started_at, offset_ms, last_used_at, removed_at)
    values (${id}, ${ownerId}, ${data}, ${DATA_VERSION}, ${realNow}, ${now}, ${offset}, ${realNow}, ${realNow})`);
  await db.exec(sql`insert into accounts (id, name, legal_name, city, country, phone, email, default_currency, timezone, locale, rate_source,
      is_demo, world_id, reminders, created_at, updated_at)
    select ${id}, name, legal_name, city, country, phone, email, default_currency, timezone, locale, rate_source, is_demo, ${id},
      ${JSON.stringify(REMINDERS)}, ${now}, ${now}
    from accounts where id = ${ownerId}`);
  await openHouse(db, dealers.own, now, true);
  for (const [place, dealer] of dealers.simulated.entries()) {
    await db.exec(sql`insert into accounts (id, name, legal_name, city, country, phone, email, default_currency, timezone, locale, rate_source,
        is_demo, world_id, created_at, updated_at)
      select ${dealer.id}, ${dealer.name}, ${`${dealer.name} Ltd.`}, ${dealer.city.name}, country, ${`+9039200000${place + 1}0`},
        ${`bayi${place + 1}@example.com`}, default_currency, timezone, locale, rate_source, is_demo, ${id}, ${now}, ${now}
      from accounts where id = ${ownerId}`);
    await openHouse(db, dealer, now, false);
  }
  return { id, dealers, timezone: owner.timezone, now };
}

export const mainBranchOf = ({ scope }: DemoDealer): string => idOf('branch', scope, 'Merkez');

async function openHouse(db: Db, dealer: DemoDealer, now: Date, isOwn: boolean): Promise<void> {
  await db.exec(
    sql`insert into data_sets (id, account_id, kind, created_at) values (${dealer.id}, ${dealer.id}, 'sandbox', ${now})`,
  );
  const names = isOwn ? ['Merkez', 'Şube'] : ['Merkez'];
  for (const [place, name] of names.entries())
    await db.exec(sql`insert into branches (account_id, id, name, city, is_main, created_at, updated_at)
      values (${dealer.id}, ${idOf('branch', dealer.scope, name)}, ${name}, ${dealer.city.name}, ${place === 0}, ${now}, ${now})`);
  if (!isOwn) return;
  for (const role of ROLES)
    await db.exec(sql`insert into members (account_id, id, full_name, role, branch_id, created_at, updated_at)
      values (${dealer.id}, ${idOf('staff', dealer.scope, role)}, ${newDemoPerson('staff', role)}, ${role}, ${mainBranchOf(dealer)}, ${now}, ${now})`);
}
