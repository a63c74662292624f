// The rules of the panel's own room: sizes, names, which library stands where, and what it may take from the server.
import { glob, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

interface Source {
  readonly path: string;
  readonly text: string;
}

/** Known to one folder or file, so that it can be exchanged there. */
const PLACES: readonly (readonly [library: RegExp, place: RegExp])[] = [
  [/^@base-ui\/react\/csp-provider$/, /^web\/src\/shell\/root\.tsx$/],
  [/^@base-ui\/react\/(?!csp-provider)/, /^web\/src\/parts\//],
  [/^uplot/, /^web\/src\/parts\/chart\/chart-canvas\.tsx$/],
  [/^@fontsource/, /^web\/src\/style\//],
];

const imports = (text: string) =>
  [...text.matchAll(/^import (type )?[^;]*?from '([^']+)';$|^import '([^']+)';$/gms)].map((match) => ({
    typeOnly: match[1] !== undefined,
    target: (match[2] ?? match[3])!,
  }));

function problemsIn({ path, text }: Source): string[] {
  const problems: string[] = [];
  const lines = text.split('\n').length - 1;
  // Texts in two languages are a list, not something to follow.
  const most = /(^|\/)texts(\.ts$|\/)/.test(path) ? 800 : 400;
  if (lines > most) problems.push(`${path}: ${lines} lines, at most ${most}`);
  if (/(^|[-/])(utils?|helpers?|common|managers?|misc)[.-]/.test(path))
    problems.push(`${path}: the name does not say what it is`);
  if (/^export default\b/m.test(text)) problems.push(`${path}: has a default export`);
  if (/dangerouslySetInnerHTML|\binnerHTML\b/.test(text)) problems.push(`${path}: writes HTML`);
  for (const { target, typeOnly } of imports(text)) {
    for (const [library, place] of PLACES) {
      if (library.test(target) && !place.test(path)) problems.push(`${path}: imports ${target}, which stands elsewhere`);
    }
    // Rules that server and panel share are pure; all else of the server comes as types, or as a text that is shown.
    if (/\.\.\/src\/(?!domain\/|kit\/)(?!.*\?raw$)/.test(target) && !typeOnly)
      problems.push(`${path}: runs ${target} of the server`);
  }
  return problems;
}

async function sources(): Promise<Source[]> {
  const found: Source[] = [];
  for await (const path of glob('web/src/**/*.{ts,tsx}')) found.push({ path, text: await readFile(path, 'utf8') });
  return found;
}

describe("the panel's room", () => {
  it('keeps its rules', async () => {
    const files = await sources();
    expect(files.length).toBeGreaterThan(40);
    expect(files.flatMap(problemsIn)).toEqual([]);
  });

  it.each([
    ['a long file', 'web/src/a.ts', 'work();\n'.repeat(401), /at most 400/],
    ['a name that says nothing', 'web/src/date-utils.ts', '', /does not say/],
    ['a default export', 'web/src/a.ts', 'export default 1;\n', /default export/],
    ['HTML from text', 'web/src/a.tsx', '<p dangerouslySetInnerHTML={{ __html: a }} />\n', /writes HTML/],
    ['Base UI in a screen', 'web/src/screens/a/screen.tsx', `import { Menu } from '@base-ui/react/menu';\n`, /stands elsewhere/],
    ['the server at work', 'web/src/a.ts', `import { keyRows } from '../../src/panel/keys/keys.ts';\n`, /of the server/],
  ])('notices %s', (_, path, text, problem) => expect(problemsIn({ path, text }).join('\n')).toMatch(problem));

  it('takes types of the server', () => {
    expect(
      problemsIn({ path: 'web/src/a.ts', text: `import type { SessionView } from '../../src/panel/session.ts';\n` }),
    ).toEqual([]);
  });
});
