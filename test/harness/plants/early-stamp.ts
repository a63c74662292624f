// Planted: `updated_at` is the time at which the request started, assigned without locking the data set or checking the proposal.
import { registerHooks } from 'node:module';

const BUGS: Readonly<Record<string, readonly [string, string]>> = {
  '/src/domain/writes/write.ts': ['proposed === null ? giveStamp(db, now) :', 'proposed === null ? Promise.resolve(now) :'],
  '/src/domain/writes/outbox.ts': ['later_stamp(stamped_at, ', 'greatest(stamped_at, '],
  '/src/domain/records/record.ts': ['updated_at: stamp }', 'updated_at: work.now }'],
};

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    const bug = Object.entries(BUGS).find(([file]) => url.endsWith(file))?.[1];
    if (bug === undefined) return loaded;
    const source = String(loaded.source);
    if (!source.includes(bug[0])) throw new Error('the code for this planted bug has changed');
    return { ...loaded, source: source.replace(...bug) };
  },
});
