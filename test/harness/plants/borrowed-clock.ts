// Planted: the clock of the last sandbox that was used is the clock of production too.
import { registerHooks } from 'node:module';

const BUGS: Readonly<Record<string, readonly [string, string]>> = {
  '/src/http/api/worlds.ts': [
    'takesTurnOf(found.account.id, found.ownerId);',
    'takesTurnOf(found.account.id, found.ownerId); globalThis.borrowed = found.now;',
  ],
  '/src/http/api/call.ts': ['now: clock.now(),', 'now: globalThis.borrowed ?? clock.now(),'],
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
