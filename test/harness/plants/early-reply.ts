// Planted: a write is acknowledged a moment before it is committed.
import { registerHooks } from 'node:module';

const COMMIT = 'const committed = open.commit();';
const RELEASE = '    client.release();\n    return value;';

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.endsWith('/src/postgres/database.ts')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(COMMIT) || !source.includes(RELEASE)) throw new Error('the code for this planted bug has changed');
    const early = source
      .replace(
        COMMIT,
        "const isEarly = transaction.begin === 'begin read write'; const committed = isEarly ? undefined : open.commit();",
      )
      .replace(
        RELEASE,
        `    if (isEarly) {
      setTimeout(() => Promise.resolve(open.commit()).catch(() => {}).finally(() => client.release()), 50);
      return value;
    }
${RELEASE}`,
      );
    return { ...loaded, source: early };
  },
});
