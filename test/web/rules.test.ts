// The rules of web/src: sizes, names, which folder may import which library, and what it may import from the server.
import { glob, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { refusedWords } from '../support/refused-words.ts';

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

/** Of the server, what also runs in a browser: fixed words and moves, and rules whose files import nothing but their like. */
const PURE =
  /^domain\/\w+\/\w+-states\.ts$|^domain\/(catalog\/catalog|media\/car-(art|outline)|stock\/vehicle-words|formats\/(number|phone|fold|cell)-text|imports\/(column-names|value-words|head-currency)|identity\/roles|keys\/(four-eyes|key-policy)|exchange-rates\/rates|net\/address|clock\/days|webhooks\/event-rights|writes\/event-kinds)\.ts$|^kit\/(clock|errors|money)\.ts$|\?raw$/;

const imports = (text: string) =>
  [...text.matchAll(/^(?:import|export) (type )?[^;]*?from '([^']+)';$|^import '([^']+)';$|\bimport\('([^']+)'\)/gms)].map(
    (match) => ({
      typeOnly: match[1] !== undefined,
      target: (match[2] ?? match[3] ?? match[4])!,
    }),
  );

/** Shown within other screens, and therefore importable by them. They have no address of their own, but for the tasks. */
const WITHIN_SCREENS: readonly string[] = ['tasks', 'endpoint-picker', 'vehicle-media', 'audit', 'sale-acts', 'live-room'];

/** Imports run from right to left only. Files at the root and in `texts/` are used by all others. */
const ORDER = ['root', 'parts', 'records', 'tasks', 'within', 'screens', 'shell', 'routes'] as const;

function roomOf(path: string): (typeof ORDER)[number] {
  const [, folder, name] = /^web\/src\/(?:(\w+)\/)?(?:([\w-]+)\/)?/.exec(path) ?? [];
  // They build the tree of addresses: of the shell's route and the screens.
  if (/\/(routes|main)\.tsx$/.test(path)) return 'routes';
  if (folder === 'screens') return name === 'tasks' ? 'tasks' : WITHIN_SCREENS.includes(name ?? '') ? 'within' : 'screens';
  return ORDER.find((room) => room === folder) ?? 'root';
}

const screenOf = (path: string): string | undefined => /^web\/src\/screens\/([\w-]+)\//.exec(path)?.[1];

function orderProblems({ path, text }: Source): string[] {
  const room = ORDER.indexOf(roomOf(path));
  return imports(text)
    .filter(({ target }) => target.startsWith('.'))
    .map(({ target }) => new URL(target, `file:///${path}`).pathname.slice(1))
    .filter((target) => target.startsWith('web/src/'))
    .flatMap((target) => {
      const other = ORDER.indexOf(roomOf(target));
      if (other > room) return [`${path}: imports ${target} against the order ${ORDER.join(' < ')}`];
      // The list of routes names every screen; a screen may only show what is made to be shown within others.
      const isOther = screenOf(target) !== undefined && screenOf(target) !== screenOf(path);
      const isScreen = screenOf(path) !== undefined;
      return isScreen && isOther && other === room
        ? [`${path}: a screen imports another (${target}); what two need is in records/`]
        : [];
    });
}

/** A folder with more files is split by meaning. */
const MAX_FILES = 30;

function folderProblems(files: readonly Source[]): string[] {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > MAX_FILES)
    .map(([folder, count]) => `${folder}: ${count} files, at most ${MAX_FILES}`);
}

/** Files that import each other in a circle, by types too: neither can be read without the other. */
function circlesIn(files: readonly Source[]): string[] {
  const known = new Map(
    files.map(({ path, text }) => [
      path,
      imports(text)
        .filter(({ target }) => target.startsWith('.'))
        .map(({ target }) => new URL(target, `file:///${path}`).pathname.slice(1)),
    ]),
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' → '));
    if (done.has(path) || way.includes(path)) return;
    for (const target of known.get(path) ?? []) walk(target, [...way, path]);
    done.add(path);
  };
  for (const path of known.keys()) walk(path, []);
  return circles;
}

const REFUSED = refusedWords();
const commentsOf = (text: string): string => (text.match(/^\s*(?:\/\/|\/?\*).*$/gm) ?? []).join('\n');

const MAX_FILE_LINES = 500;
const MAX_FUNCTION_LINES = 70;

/** Functions at the left edge or one level in; the formatter closes them at the same indentation. */
function functionProblems({ path, text }: Source): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, start) => {
    const opens =
      /^( {0,2})(?:export )?(?:async )?function\b|^( {0,2})(?:export )?const \w+ = (?:async )?(?:<.*>)?\(.*=> \{$/.exec(line);
    if (!opens) return [];
    const indent = opens[1] ?? opens[2] ?? '';
    const length = lines.slice(start).findIndex((end) => end === `${indent}}` || end === `${indent}};`) + 1;
    return length > MAX_FUNCTION_LINES
      ? [`${path}:${start + 1}: a function of ${length} lines, at most ${MAX_FUNCTION_LINES}`]
      : [];
  });
}

function problemsIn({ path, text }: Source): string[] {
  const problems: string[] = [...orderProblems({ path, text }), ...functionProblems({ path, text })];
  const lines = text.split('\n').length - 1;
  // Texts in two languages are a list, not something to follow.
  const max = /(^|\/)texts(\.ts$|\/)/.test(path) ? 800 : MAX_FILE_LINES;
  if (lines > max) problems.push(`${path}: ${lines} lines, at most ${max}`);
  if (/(^|[-/])(utils?|helpers?|common|managers?|misc)[.-]/.test(path))
    problems.push(`${path}: the name does not say what it is`);
  // It only keeps the formatter from breaking the line.
  if (/\.\.\.\{/.test(text)) problems.push(`${path}: spreads a literal`);
  const dialect = REFUSED.exec(commentsOf(text))?.[1];
  if (dialect !== undefined) problems.push(`${path}: a comment says «${dialect}»; see the style page in CONTRIBUTING`);
  if (/^export default\b/m.test(text)) problems.push(`${path}: has a default export`);
  // What is given its height only when it comes near moves what is below it under the pointer.
  if (/content-visibility/.test(text)) problems.push(`${path}: lays out late`);
  // A body of unknown fields: a misspelt one would compile. Builders return `RawBody` of their endpoint.
  if (/\)\s*:\s*(Readonly<)?Record<string, unknown>/.test(text)) problems.push(`${path}: returns unknown fields`);
  if (/dangerouslySetInnerHTML|\binnerHTML\b/.test(text)) problems.push(`${path}: writes HTML`);
  for (const { target, typeOnly } of imports(text)) {
    for (const [library, place] of PLACES) {
      if (library.test(target) && !place.test(path)) problems.push(`${path}: imports ${target}, which belongs elsewhere`);
    }
    // What server and panel share is pure; all else of the server comes as types, or as a text that is shown.
    const ofServer = /\.\.\/src\/(.+)$/.exec(target)?.[1];
    if (ofServer !== undefined && !typeOnly && !PURE.test(ofServer)) problems.push(`${path}: runs ${target} of the server`);
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
    expect(circlesIn(files)).toEqual([]);
    expect(folderProblems(files)).toEqual([]);
    for (const name of WITHIN_SCREENS) expect(files.some(({ path }) => screenOf(path) === name)).toBe(true);
  });

  it.each([
    ['a long file', 'web/src/a.ts', 'work();\n'.repeat(501), /at most 500/],
    ['a long function', 'web/src/a.ts', `function a() {\n${'  work();\n'.repeat(69)}}\n`, /a function of 71 lines, at most 70/],
    ['a spread of a literal', 'web/src/a.ts', 'const a = { ...{ b, c }, d };\n', /spreads a literal/],
    ['a name that says nothing', 'web/src/date-utils.ts', '', /does not say/],
    ['a comment in dialect', 'web/src/a.ts', '/** Null for whoever may not buy. */\n', /«whoever»/],
    ['a default export', 'web/src/a.ts', 'export default 1;\n', /default export/],
    [
      'a body of unknown fields',
      'web/src/a.ts',
      'const body = (a: A): Record<string, unknown> => ({ ...a });\n',
      /unknown fields/,
    ],
    ['HTML from text', 'web/src/a.tsx', '<p dangerouslySetInnerHTML={{ __html: a }} />\n', /writes HTML/],
    ['rows that are laid out late', 'web/src/a.tsx', '<li className="[content-visibility:auto]" />\n', /lays out late/],
    ['Base UI in a screen', 'web/src/screens/a/screen.tsx', `import { Menu } from '@base-ui/react/menu';\n`, /belongs elsewhere/],
    [
      'a file of the domain that is not pure',
      'web/src/a.ts',
      `import { newVehicle } from '../../src/domain/stock/vehicle.ts';\n`,
      /of the server/,
    ],
    ['the server at work', 'web/src/a.ts', `import { keyRows } from '../../src/panel/keys/keys.ts';\n`, /of the server/],
    [
      'a part that knows a record',
      'web/src/parts/a.tsx',
      `import { customerQuery } from '../records/customers.ts';\n`,
      /against the order/,
    ],
    [
      'a record that knows a screen',
      'web/src/records/a.ts',
      `import type { Status } from '../screens/tasks/data.ts';\n`,
      /against the order/,
    ],
    [
      'tasks that know a screen',
      'web/src/screens/tasks/a.ts',
      `import { data } from '../vehicles/data.ts';\n`,
      /against the order/,
    ],
    [
      'a screen that knows another',
      'web/src/screens/keys/a.ts',
      `import { ERROR_CODES } from '../logs/error-codes.ts';\n`,
      /a screen imports another/,
    ],
    [
      'a screen that fetches another',
      'web/src/screens/keys/a.ts',
      `const later = () => import('../logs/screen.tsx');\n`,
      /a screen imports another/,
    ],
    [
      'what is shown within screens and knows its like',
      'web/src/screens/audit/a.ts',
      `import { photosQuery } from '../vehicle-media/photo-data.ts';\n`,
      /a screen imports another/,
    ],
    [
      'a screen that knows the shell',
      'web/src/screens/keys/a.tsx',
      `import { Bell } from '../../shell/bell.tsx';\n`,
      /against the order/,
    ],
    ['the shell that knows the routes', 'web/src/shell/a.ts', `import { router } from '../routes.tsx';\n`, /against the order/],
    ['what is below everything and knows a part', 'web/src/a.ts', `import { cx } from './parts/cx.ts';\n`, /against the order/],
  ])('notices %s', (_, path, text, problem) => expect(problemsIn({ path, text }).join('\n')).toMatch(problem));

  it('notices a circle of imports, of types too', () => {
    const one = (type: string) => ({ path: 'web/src/a.ts', text: `import ${type}{ b } from './b.ts';\n` });
    const other = { path: 'web/src/b.ts', text: `import { a } from './a.ts';\n` };
    const circle = ['web/src/a.ts → web/src/b.ts → web/src/a.ts'];
    expect(circlesIn([one(''), other])).toEqual(circle);
    expect(circlesIn([one('type '), other])).toEqual(circle);
  });

  it('notices a folder with too many files', () => {
    const files = (count: number) => Array.from({ length: count }, (_, at) => ({ path: `web/src/parts/a-${at}.ts`, text: '' }));
    expect(folderProblems(files(30))).toEqual([]);
    expect(folderProblems(files(31))).toEqual(['web/src/parts: 31 files, at most 30']);
  });

  it.each([
    ['the tasks of a record', 'web/src/screens/vehicles/a.tsx', `import { RecordTasks } from '../tasks/record-tasks.tsx';\n`],
    ['a picker of endpoints', 'web/src/screens/keys/a.tsx', `import { Picker } from '../endpoint-picker/picker.tsx';\n`],
    ['words of the server', 'web/src/screens/keys/a.ts', `import { A } from '../../../../src/domain/stock/stock-states.ts';\n`],
    ['its own address', 'web/src/screens/keys/routes.tsx', `import { shellRoute } from '../../shell/route.tsx';\n`],
  ])('lets a screen have %s', (_, path, text) => expect(problemsIn({ path, text })).toEqual([]));

  it('takes types of the server', () => {
    expect(
      problemsIn({ path: 'web/src/a.ts', text: `import type { SessionView } from '../../src/panel/account/session.ts';\n` }),
    ).toEqual([]);
  });
});
