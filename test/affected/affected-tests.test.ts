// Which tests of the full tier a change chooses, in a small project that was recorded.
import { describe, expect, test } from 'vitest';
import { affectedTests, type Change } from '../../scripts/affected-tests.ts';

const FILES: Record<string, string> = {
  'src/kit/money.ts': `export const cents = (n: number) => n * 100;`,
  'src/domain/stock/vehicle-states.ts': `export const STATES = ['free', 'sold'];\nexport const OTHER = 1;`,
  'src/domain/stock/vehicle.ts': `import { STATES } from './vehicle-states.ts';
    export const isState = (text: string) => STATES.includes(text);`,
  'src/domain/stock/fields.ts': `export function field(max: number) { return { max }; }\nexport function shown() { return 1; }`,
  'src/resources/vehicles.ts': `import { isState } from '../domain/stock/vehicle.ts';
    import { field } from '../domain/stock/fields.ts';
    const PLATE = field(9);
    export const vehicles = [{ path: 'vehicles', takes: PLATE, run: (text: string) => { return isState(text); } }];`,
  'src/resources/customers.ts': `export const customers = [{ path: 'customers', run: () => 1 }];`,
  'src/resources/index.ts': `import { customers } from './customers.ts';
    import { vehicles } from './vehicles.ts';
    export const resources = [vehicles, customers];`,
  'src/http/service.ts': `import { resources } from '../resources/index.ts';
    export function start() { return resources.length; }`,
  'src/http/docs/openapi/openapi.ts': `export function openapi(rows: unknown) { return rows; }`,
  'src/http/docs/page.ts': `export const CSS = read('./page.css');\nfunction read(name: string) { return name; }`,
  'src/http/docs/site.ts': `import { CSS } from './page.ts';\nexport const site = () => CSS;`,
  'src/http/docs/page.css': '',
  'web/src/texts.ts': `export const TEXTS = { title: 'Vehicles' };`,
  'web/src/screen.tsx': `import { TEXTS } from './texts.ts';\nexport function Screen() { return <h1>{TEXTS.title}</h1>; }`,
  'test/support/service.ts': `import { start } from '../../src/http/service.ts';\nexport const service = () => start();`,
  'test/browser/vehicles.full.test.ts': `import { service } from '../support/service.ts';`,
  'test/browser/customers.full.test.ts': `import { service } from '../support/service.ts';`,
  'test/harness/races.alone.full.test.ts': `import './world.ts';`,
  'test/harness/world.ts': `export const php = '../../sdk/php/Galeri.php';`,
  'test/looks/docs.full.test.ts': ``,
  'test/tools/tools.full.test.ts': ``,
  'test/domain/vehicle.test.ts': `import '../../src/domain/stock/vehicle.ts';`,
  'sdk/php/Galeri.php': '',
  'docs/operations.md': '',
};

const recorded = (...executed: string[]) => ({ seconds: 1, executed: new Set(executed) });
const SERVICE = ['src/http/service.ts', 'src/resources/index.ts', 'test/support/service.ts'];
const TESTS = new Map([
  [
    'test/browser/vehicles.full.test.ts',
    recorded(...SERVICE, 'src/resources/vehicles.ts', 'src/domain/stock/vehicle.ts', 'web/src/screen.tsx'),
  ],
  ['test/browser/customers.full.test.ts', recorded(...SERVICE, 'src/resources/customers.ts')],
  [
    'test/harness/races.alone.full.test.ts',
    recorded('src/http/service.ts', 'test/harness/world.ts', 'src/domain/stock/vehicle.ts', 'src/domain/stock/fields.ts'),
  ],
  ['test/looks/docs.full.test.ts', recorded('src/http/docs/site.ts')],
  ['test/tools/tools.full.test.ts', recorded('src/http/docs/openapi/openapi.ts')],
  ['test/domain/vehicle.test.ts', recorded('src/domain/stock/vehicle.ts')],
]);
const ALL = [...TESTS.keys()].sort();
const [VEHICLES, CUSTOMERS, RACES] = [...TESTS.keys()] as [string, string, string];

const edit = (path: string, from: string, to: string): Change => {
  const before = FILES[path]!;
  expect(before).toContain(from);
  return { path, before, after: before.replace(from, to) };
};

function chosenBy(...changes: Change[]): string[] {
  const files = new Map(Object.entries(FILES));
  for (const { path, after } of changes) {
    if (after === null) files.delete(path);
    else files.set(path, after);
  }
  return [
    ...affectedTests(changes, { files, map: { onImport: new Set(['src/domain/stock/fields.ts']), tests: TESTS } }).keys(),
  ].sort();
}

describe('a source', () => {
  test('chooses the tests that executed it', () => {
    expect(chosenBy(edit('src/resources/customers.ts', '() => 1', '() => 2'))).toEqual([CUSTOMERS]);
  });

  test('whose constant changed chooses the tests that executed a module that reads it', () => {
    expect(chosenBy(edit('src/domain/stock/vehicle-states.ts', "'sold'", "'gone'"))).toEqual([
      VEHICLES,
      'test/domain/vehicle.test.ts',
      RACES,
    ]);
    expect(chosenBy(edit('web/src/texts.ts', 'Vehicles', 'Cars'))).toEqual([VEHICLES]);
  });

  test('whose constant nothing reads chooses none', () => {
    expect(chosenBy(edit('src/domain/stock/vehicle-states.ts', 'OTHER = 1', 'OTHER = 2'))).toEqual([]);
  });

  test('whose function is called while another module is imported chooses the tests of that module', () => {
    expect(chosenBy(edit('src/domain/stock/fields.ts', '{ max }', '{ max: max + 1 }'))).toEqual([
      VEHICLES,
      RACES,
      'test/tools/tools.full.test.ts',
    ]);
  });

  test('that is an entry of a list chooses the tests that call it and those that walk the list, not all that load the list', () => {
    expect(chosenBy(edit('src/resources/customers.ts', "'customers'", "'clients'"))).toEqual([
      CUSTOMERS,
      'test/tools/tools.full.test.ts',
    ]);
  });

  test('of which only comments or types changed chooses what executed it and nothing more', () => {
    expect(chosenBy(edit('src/domain/stock/vehicle-states.ts', 'export', '// Why.\nexport type A = 1;\nexport'))).toEqual([]);
  });

  test('that is new is chosen by those who import it, or chooses everything', () => {
    const added: Change = { path: 'src/domain/stock/plate.ts', before: null, after: 'export const plate = () => 1;' };
    expect(chosenBy(added)).toEqual(ALL);
    const imports = edit('src/resources/customers.ts', 'export', "import { plate } from '../domain/stock/plate.ts';\nexport");
    expect(chosenBy(added, imports)).toEqual([CUSTOMERS]);
  });

  test('that no test executed counts as read by those who import it', () => {
    const files = {
      ...FILES,
      'src/http/docs/openapi/openapi.ts':
        "import { shown } from '../../../domain/stock/fields.ts'; export const o = () => shown();",
    };
    const change = edit('src/domain/stock/fields.ts', 'return 1', 'return 2');
    const tests = new Map([...TESTS, [RACES, recorded()]]);
    const all = new Map(Object.entries({ ...files, [change.path]: change.after! }));
    const chosen = affectedTests([change], { files: all, map: { onImport: new Set(), tests } });
    expect([...chosen.keys()]).toEqual(['test/tools/tools.full.test.ts']);
  });
});

describe('everything is chosen by', () => {
  test.each([
    'migrations/0100-x.sql',
    'src/kit/money.ts',
    'package-lock.json',
    'vitest.config.ts',
    'test/support/global-setup.ts',
  ])('%s', (path) => {
    expect(chosenBy({ path, before: null, after: '' })).toEqual(ALL);
  });

  test('a file of a kind that no rule knows', () => {
    expect(chosenBy({ path: 'Dockerfile', before: null, after: '' })).toEqual(ALL);
  });
});

describe('a file of the tests', () => {
  test('that changed is chosen, one that is gone is not', () => {
    const change = { path: VEHICLES, before: '' };
    expect(chosenBy({ ...change, after: '// changed' })).toEqual([VEHICLES]);
    expect(chosenBy({ ...change, after: null })).toEqual([]);
  });

  test('that was not recorded is always chosen', () => {
    expect(chosenBy({ path: 'test/browser/new.full.test.ts', before: null, after: '' })).toEqual([
      'test/browser/new.full.test.ts',
    ]);
  });

  test('that others import chooses them', () => {
    expect(chosenBy(edit('test/support/service.ts', 'start()', 'start() + 0'))).toEqual([CUSTOMERS, VEHICLES]);
    expect(chosenBy(edit('test/harness/world.ts', 'export', 'export '))).toEqual([RACES]);
  });
});

describe('a file that is only read', () => {
  test('by a source counts as a value of that source', () => {
    expect(chosenBy({ path: 'src/http/docs/page.css', before: 'a', after: 'b' })).toEqual(['test/looks/docs.full.test.ts']);
  });

  test('by a test chooses that test; a document that none of them reads chooses none', () => {
    expect(chosenBy({ path: 'sdk/php/Galeri.php', before: 'a', after: 'b' })).toEqual([RACES]);
    expect(chosenBy({ path: 'docs/operations.md', before: 'a', after: 'b' })).toEqual([]);
  });
});
