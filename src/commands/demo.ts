// `demo`: loads dealers with stock and customers, the first ones with sales too, for demonstrations and benchmarks; `demo remove` deletes
// them.

import { loadDemo } from '../demo/demo-data.ts';
import { dealerOf } from '../demo/demo-dealer.ts';
import { deleteDemoFile } from '../demo/demo-file.ts';
import { loadDemoMarket } from '../demo/demo-market.ts';
import { loadDemoSales } from '../demo/demo-sales-load.ts';
import { loadDemoShowrooms } from '../demo/demo-showroom.ts';
import { DEMO_DEALERS } from '../demo/demo-words.ts';
import { DemoInUse, removeDemo } from '../demo/remove-demo.ts';
import { databaseClock } from '../domain/clock/database-clock.ts';
import { openFiles } from '../domain/files/open-files.ts';
import { countAdmins } from '../domain/keys/second-administrator.ts';
import { audit } from '../domain/writes/audit.ts';
import { whileLoading } from '../postgres/connect.ts';
import { openSession } from '../postgres/database.ts';
import { findServer } from '../postgres/pooler.ts';
import { CLI_ACTOR } from './actor.ts';
import { type Command, integerOption, print, progress, readOptions, table, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

export const demoCommand: Command = {
  usage: ['demo [--dealers N] [--vehicles N] [--customers N]', 'demo remove [--force]'],
  async run(args) {
    if (args[0] === 'remove') {
      await remove(args.slice(1));
      return undefined;
    }
    const options = readOptions(args, { dealers: 'text', vehicles: 'text', customers: 'text' });
    const size = {
      dealers: integerOption(options.dealers, 'dealers', 1, 10_000) ?? 3,
      vehicles: integerOption(options.vehicles, 'vehicles', 0, 500_000) ?? 60,
      customers: integerOption(options.customers, 'customers', 0, 500_000) ?? 40,
    };
    await withDatabase(async (connected) => {
      const { secrets, adminUrl } = connected;
      const clock = await databaseClock(connected.database);
      const now = clock.now();
      const named = Array.from({ length: Math.min(size.dealers, DEMO_DEALERS.length) }, (_, index) => dealerOf(index));
      const dealers = await whileLoading(connected, async (database) => {
        const loaded = await loadDemo(database, secrets, { ...size, now, progress });
        await loadDemoSales(database, secrets, named, { ...size, now });
        await loadDemoMarket(database, named, now);
        await loadDemoShowrooms(database, secrets, named, now);
        return loaded;
      });
      const sum = (of: 'vehicles' | 'customers') => dealers.reduce((all, dealer) => all + dealer[of], 0);
      const added = { vehicles: sum('vehicles'), customers: sum('customers') };
      if (added.vehicles + added.customers > 1000) await vacuumTables(adminUrl);
      const lines = dealers
        .slice(0, 20)
        .map(({ id, name, vehicles, customers }) => [id, name, String(vehicles), String(customers)]);
      const more = dealers.length > lines.length ? `\n… and ${dealers.length - lines.length} more` : '';
      const text = `${table([['ID', 'NAME', 'NEW VEHICLES', 'NEW CUSTOMERS'], ...lines])}${more}`;
      print(options.json, { dealers, added }, text);
    });
    return undefined;
  },
};

async function remove(args: string[]): Promise<void> {
  const { json, force } = readOptions(args, { force: 'flag' });
  await withDatabase(async ({ database, adminUrl }, config) => {
    const openStore = async () => (await openFiles(config)).store;
    // Found before anything is removed, because a second run would not know whose lines are left.
    const logAdminUrl = config.logDatabaseUrl && (await findServer(config.logDatabaseUrl, {}, 'LOG_DATABASE_URL'));
    const removed = await removeDemo({ adminUrl, logAdminUrl, openStore, force, progress }).catch((error) => {
      throw error instanceof DemoInUse ? new UsageError(error.message) : error;
    });
    await deleteDemoFile(config.dataDir);
    const { accounts, people, rows, files } = removed;
    const admins = await database.onPlatform('write', async (db) => {
      if (accounts + people > 0) await audit(db, CLI_ACTOR, 'demo.removed', 'demo', { after: { ...removed } });
      return countAdmins(db);
    });
    const done =
      accounts + people === 0
        ? 'There is no demonstration here'
        : `Removed ${accounts} dealers, ${people} people, ${rows} rows and ${files} files`;
    const next = admins === 0 ? '\nThere is no platform administrator: galeri admin create --email E' : '';
    print(json, removed, `${done}${next}`);
  });
}

/** Done at once instead of waiting for autovacuum, because until then the planner underestimates a large new account. */
async function vacuumTables(adminUrl: string): Promise<void> {
  const session = await openSession(adminUrl, { deadlineMs: null });
  try {
    await session.rows('vacuum (analyze) vehicles, customers');
  } finally {
    await session.close();
  }
}
