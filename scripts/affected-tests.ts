// Which test files a change can break, by what each test file executed in the recorded run. docs/testing.md gives the reasons.
import { basename } from 'node:path';
import type { TestMap } from '../test/support/test-map.ts';
import { type Module, readModule, STATEMENTS } from './affected-modules.ts';

export interface Change {
  readonly path: string;
  /** null: there was none. */
  readonly before: string | null;
  /** null: removed. */
  readonly after: string | null;
}

export interface Project {
  /** All files of the project with their text, after the change; the text of what is not code is not needed. */
  readonly files: ReadonlyMap<string, string>;
  readonly map: TestMap;
}

/** Test file to the reason. Files of the quick tier are not in it unless a rule names them: they run in any case. */
export type Chosen = Map<string, string>;

const CODE = /\.(ts|tsx)$/;
const TEST = /\.test\.ts$/;

/** They reach every test in ways that are not recorded: as data, as tools, or because nearly all sources use them. */
const EVERYTHING =
  /^(migrations\/|src\/kit\/|bin\/|package(-lock)?\.json$|vitest\.config\.ts$|scripts\/build-|web\/(index\.html|vite\.config\.ts)$|test\/support\/(global-setup|data-dir|database)\.ts$)/;
/** No test of the full tier reads them; the quick tier runs in any case. */
const NOTHING =
  /^(\.ci\/|\.gitignore$|LICENSE$|biome\.json$|(web\/)?tsconfig\.json$|bench\/|test\/(recorder|affected)\/|test\/test-map\.json$|scripts\/(test-|affected-|generate-docs))/;

/**
 * Lists in which each module is one entry. An entry shows in tests that call it, and in those that walk the whole list: the contract,
 * tenancy and role walks of the quick tier, and what reads the description of the API.
 */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  'src/resources/index.ts': ['src/http/docs/openapi/openapi.ts'],
  'src/panel/index.ts': [],
  'web/src/routes.tsx': [],
};

export function affectedTests(changes: readonly Change[], { files, map }: Project): Chosen {
  const project = new SourceGraph(files, map);
  const chosen: Chosen = new Map();
  const choose = (tests: Iterable<string>, why: string) => {
    for (const test of tests) if (!chosen.has(test)) chosen.set(test, why);
  };
  choose(
    project.tests.filter((test) => !map.tests.has(test)),
    'it was not recorded yet',
  );
  for (const change of changes) {
    const { path } = change;
    if (NOTHING.test(path)) continue;
    if (EVERYTHING.test(path)) choose(project.tests, `${path} reaches everything`);
    else if (TEST.test(path)) choose(files.has(path) ? [path] : [], 'it changed');
    else if (path.startsWith('test/') && CODE.test(path)) {
      choose(project.testsImporting(path), `it imports ${path}`);
      choose(project.testsThatExecuted(path), `it executed ${path}`);
    } else if (CODE.test(path)) chooseBySource(change, project, choose);
    else chooseByMention(path, project, choose);
  }
  return chosen;
}

type Choose = (tests: Iterable<string>, why: string) => void;

function chooseBySource(change: Change, project: SourceGraph, choose: Choose): void {
  const { path } = change;
  choose(project.testsThatExecuted(path), `it executed ${path}`);
  const { owners, readers } = project.reachOf(change);
  for (const owner of owners) {
    const walkers = LISTS[owner];
    for (const walker of walkers ?? []) choose(project.testsThatExecuted(walker), `it walks the list that ${path} is in`);
    if (walkers) continue;
    choose(project.testsThatExecuted(owner), `it executed ${owner}, which computes a value from ${path} when it is imported`);
  }
  for (const reader of readers)
    choose(project.testsThatExecuted(reader), `it executed ${reader}, which reads a value of ${path}`);
  if (change.before === null && !project.isImported(path)) choose(project.tests, `${path} is new and nothing imports it`);
}

/** Files that are read: by a source, which then has changed too, or by a test. */
function chooseByMention(path: string, project: SourceGraph, choose: Choose): void {
  const executed = project.testsThatExecuted(path);
  choose(executed, `it executed ${path}`);
  if (executed.length > 0) return;
  const sources = project.mentioning(path).filter((file) => !file.startsWith('test/'));
  for (const source of sources.filter((file) => /^(src|web)\//.test(file))) {
    const text = project.textOf(source);
    chooseBySource({ path: source, before: '', after: text }, project, (tests, why) =>
      choose(tests, `${source} reads ${path}: ${why}`),
    );
  }
  for (const file of project.mentioning(path).filter((one) => one.startsWith('test/'))) {
    choose(TEST.test(file) ? [file] : project.testsImporting(file), `${file} reads ${path}`);
  }
  const isRead = sources.length > 0 || /^[^/]+\.md$|^(docs|sdk|web)\//.test(path);
  if (!isRead && !path.startsWith('test/')) choose(project.tests, `${path} is of an unknown kind`);
}

/** A name of a module. */
const keyOf = (path: string, name: string): string => `${path}#${name}`;

class SourceGraph {
  readonly tests: readonly string[];
  readonly #files: ReadonlyMap<string, string>;
  readonly #map: TestMap;
  readonly #modules = new Map<string, Module>();
  readonly #importers = new Map<
    string,
    { by: string; name: string; local: string | undefined; passedOnAs: string | undefined }[]
  >();

  constructor(files: ReadonlyMap<string, string>, map: TestMap) {
    this.#files = files;
    this.#map = map;
    this.tests = [...files.keys()].filter((path) => TEST.test(path)).sort();
    for (const [path, text] of files) {
      if (!CODE.test(path)) continue;
      const module = readModule(path, text);
      this.#modules.set(path, module);
      for (const { from, ...rest } of module.imports) {
        const known = this.#importers.get(from) ?? [];
        known.push({ by: path, ...rest });
        this.#importers.set(from, known);
      }
    }
  }

  textOf(path: string): string {
    return this.#files.get(path) ?? '';
  }

  testsThatExecuted(path: string): string[] {
    return this.tests.filter((test) => this.#map.tests.get(test)?.executed.has(path));
  }

  isImported(path: string): boolean {
    return this.#importers.has(path);
  }

  /** Through modules of test/ only: through the test service everything imports everything. */
  testsImporting(path: string): string[] {
    const reached = new Set([path]);
    for (const one of reached) {
      for (const { by } of this.#importers.get(one) ?? []) if (by.startsWith('test/')) reached.add(by);
    }
    return [...reached].filter((one) => TEST.test(one));
  }

  /** Code that names the file, or the folder of what is not code. */
  mentioning(path: string): string[] {
    const folder = /^(docs|sdk)\//.exec(path)?.[0];
    const inFolder = folder ? new RegExp(`(['"\`}]|\\.\\./)${folder}`) : null;
    return [...this.#files]
      .filter(([file, text]) => CODE.test(file) && (text.includes(basename(path)) || inFolder?.test(text)))
      .map(([file]) => file);
  }

  /**
   * `owners`: modules with a value that is computed, while they are imported, from something that changed; `readers`: modules that use
   * such a value in a function. A source that runs where nothing is recorded counts as a value as a whole.
   */
  reachOf({ path, before, after }: Change): { owners: Set<string>; readers: Set<string> } {
    const isUnseen = this.testsThatExecuted(path).length === 0;
    const changed = changedNames(path, before, after);
    const values = new Set([...changed.values, ...(isUnseen ? changed.functions : [])].map((name) => keyOf(path, name)));
    const functions = new Set(changed.functions.map((name) => keyOf(path, name)));
    const readers = new Set<string>();
    for (const key of values) this.#follow(key, values, readers, 'uses');
    for (const key of functions) {
      // What modules call while they are imported is not recorded as executed in the processes that tests start.
      const found = new Set<string>();
      this.#follow(key, values, found, 'calls');
      if (this.#map.onImport.has(path)) for (const reader of found) readers.add(reader);
    }
    for (const key of values) this.#follow(key, values, readers, 'uses');
    const owners = new Set([...values].map((key) => key.split('#')[0]!).filter((owner) => owner !== path));
    return { owners, readers };
  }

  /** Adds to `values` what is computed from the name, and to `readers` who uses it in a function. */
  #follow(key: string, values: Set<string>, readers: Set<string>, how: 'uses' | 'calls'): void {
    const [path = '', name = ''] = key.split('#');
    const addOwners = (of: string, local: string) => {
      for (const [declared, declaration] of this.#modules.get(of)?.declarations ?? []) {
        if (!declaration.isFunction && declaration[how].has(local)) values.add(keyOf(of, declared));
      }
    };
    addOwners(path, name);
    if (path in LISTS) return;
    for (const { by, name: imported, local, passedOnAs } of this.#importers.get(path) ?? []) {
      const exportedAs = this.#exportsOf(path, name);
      if (by.startsWith('test/') || (imported !== '*' && !exportedAs.includes(imported))) continue;
      if (passedOnAs !== undefined) values.add(keyOf(by, passedOnAs === '*' ? name : passedOnAs));
      if (local === undefined) continue;
      if (!(by in LISTS)) readers.add(by);
      addOwners(by, local);
    }
  }

  #exportsOf(path: string, name: string): string[] {
    const named = [...(this.#modules.get(path)?.exported ?? [])]
      .filter(([, local]) => local === name)
      .map(([exported]) => exported);
    // What a module passes on, or no longer has, has its own name.
    return [...named, name];
  }
}

function changedNames(path: string, before: string | null, after: string | null): { values: string[]; functions: string[] } {
  const [old, now] = [before, after].map((text) => readModule(path, text ?? '').declarations);
  const names = [...new Set([...old!.keys(), ...now!.keys()])].filter((name) => old!.get(name)?.text !== now!.get(name)?.text);
  const isFunction = (name: string) => (now!.get(name) ?? old!.get(name))!.isFunction && (old!.get(name)?.isFunction ?? true);
  return {
    values: names.filter((name) => !isFunction(name)),
    functions: names.filter((name) => isFunction(name) && name !== STATEMENTS),
  };
}
