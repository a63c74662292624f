// Every regular expression of the sources, found by parsing them: a new one is measured automatically.
import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';

export interface Pattern {
  /** src/domain/net/address.ts:9 */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

interface Node {
  readonly type?: string;
  readonly start?: number;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: { readonly name?: string };
}

/** `made` are those built at run time, which cannot be measured beforehand. */
export function collectPatterns(globs: readonly string[]): { patterns: Pattern[]; made: string[] } {
  const patterns: Pattern[] = [];
  const made: string[] = [];
  for (const path of globs.flatMap((glob) => globSync(glob)).sort()) {
    const text = readFileSync(path, 'utf8');
    const { program, errors } = parseSync(path, text);
    if (errors.length > 0) throw new Error(`${path} is not read: ${errors[0]!.message}`);
    walk(program, ({ type, start, regex, callee }) => {
      const place = () => `${path}:${text.slice(0, start).split('\n').length}`;
      if (regex !== undefined) patterns.push({ place: place(), source: regex.pattern, flags: regex.flags });
      else if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') made.push(place());
    });
  }
  return { patterns, made };
}

function walk(value: unknown, see: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) see(value as Node);
  for (const inner of Object.values(value)) walk(inner, see);
}
