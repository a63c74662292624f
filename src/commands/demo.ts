// `demo`: dealers with stock and customers to look at, or to measure with.
import { loadDemo } from '../domain/demo-data.ts';
import { openSession } from '../postgres/database.ts';
import { type Command, integerOption, print, progress, readOptions, table, withDatabase } from './command.ts';
import { databaseClock } from './database-clock.ts';

export const demoCommand: Command = {
  usage: ['demo [--dealers N] [--vehicles N] [--customers N]'],
  async run(args) {
    const given = readOptions(args, { dealers: 'text', vehicles: 'text', customers: 'text' });
    const size = {
      dealers: integerOption(given.dealers, 'dealers', 1, 10_000) ?? 3,
      vehicles: integerOption(given.vehicles, 'vehicles', 0, 500_000) ?? 60,
      customers: integerOption(given.customers, 'customers', 0, 500_000) ?? 40,
    };
    await withDatabase(async ({ database, secrets, adminUrl }) => {
      const clock = await databaseClock(database);
      const dealers = await loadDemo(database, secrets, { ...size, now: clock.now(), progress });
      const sum = (of: 'vehicles' | 'customers') => dealers.reduce((all, dealer) => all + dealer[of], 0);
      const added = { vehicles: sum('vehicles'), customers: sum('customers') };
      if (added.vehicles + added.customers > 1000) await settle(adminUrl);
      const lines = dealers
        .slice(0, 20)
        .map(({ id, name, vehicles, customers }) => [id, name, String(vehicles), String(customers)]);
      const more = dealers.length > lines.length ? `\n… and ${dealers.length - lines.length} more` : '';
      const text = `${table([['ID', 'NAME', 'NEW VEHICLES', 'NEW CUSTOMERS'], ...lines])}${more}`;
      print(given.json, { dealers, added }, text);
    });
    return undefined;
  },
};

/** What autovacuum would do in its own time: until then the planner takes a great new account for a tiny one. */
async function settle(adminUrl: string): Promise<void> {
  const session = await openSession(adminUrl);
  try {
    await session.rows('vacuum (analyze) vehicles, customers');
  } finally {
    await session.close();
  }
}
