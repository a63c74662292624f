// Planted: a signing link counts whatever the case of its letters, a file's link whatever its signature, a code whatever follows it.
import { registerHooks } from 'node:module';

const LOOSE: readonly (readonly [string, string, string])[] = [
  ['/src/domain/documents/signing/signing-link.ts', '.update(token)', '.update(token.toLowerCase())'],
  ['/src/domain/files/file-links.ts', 'if (!timingSafeEqual(', 'if (false && !timingSafeEqual('],
  ['/src/domain/papers/verified-paper.ts', '{26}$/', '{26}/'],
  ['/src/domain/papers/verified-paper.ts', 'where code = ${code}', 'where code = ${code.slice(0, 26)}'],
];

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    const due = LOOSE.filter(([file]) => url.endsWith(file));
    if (due.length === 0) return loaded;
    let source = String(loaded.source);
    for (const [, strict, loose] of due) {
      if (!source.includes(strict)) throw new Error('there is nothing to plant this bug in any more');
      source = source.replace(strict, () => loose);
    }
    return { ...loaded, source };
  },
});
