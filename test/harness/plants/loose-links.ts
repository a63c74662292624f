// Planted: accepts a signing link in any letter case, a file's link with any signature, a code with any suffix, and a revoked link to a
// customer's page.
import { registerHooks } from 'node:module';

const LOOSE: readonly (readonly [string, string, string])[] = [
  ['/src/domain/documents/signing/signing-link.ts', '.update(token)', '.update(token.toLowerCase())'],
  ['/src/domain/customer-page/page-link.ts', 'token_hash = ${hash} and revoked_at is null', 'token_hash = ${hash}'],
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
      if (!source.includes(strict)) throw new Error('the code for this planted bug has changed');
      source = source.replace(strict, () => loose);
    }
    return { ...loaded, source };
  },
});
