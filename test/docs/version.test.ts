// One version everywhere: packages, clients, the changelog, and what a running service says. `npm run release` keeps them equal.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLACES, releasedFiles, versionProblems } from '../../scripts/release.ts';
import { VERSION } from '../../src/config.ts';
import { type TestService, testService } from '../support/service.ts';

const read = (file: string): string => readFileSync(file, 'utf8');

test('every place names the same version, and the changelog has it with a date', () => {
  expect(versionProblems(read)).toEqual([]);
});

describe('of a running service', () => {
  let api: TestService;
  beforeAll(async () => {
    api = await testService();
  });
  afterAll(() => api.close());

  test('is in /healthz, /openapi.json and /postman.json', async () => {
    expect((await api.call('/healthz')).json).toEqual({ status: 'ok', version: VERSION });
    expect((await api.call('/openapi.json')).json.info.version).toBe(VERSION);
    expect((await api.call('/postman.json')).json.info.version).toBe(VERSION);
  });
});

describe('npm run release', () => {
  const changelog = '# Changelog\n\nLead.\n\n## Unreleased\n\n- New.\n\n## 0.9.0 - 2026-01-31\n\n- Old.\n';
  const files: Record<string, string> = {
    'package.json': '{\n  "name": "galeri",\n  "version": "0.9.0"\n}\n',
    'package-lock.json':
      '{\n  "name": "galeri",\n  "version": "0.9.0",\n  "packages": {\n    "": {\n      "name": "galeri",\n      "version": "0.9.0"\n    },\n    "node_modules/x": {\n      "version": "0.9.0"\n    }\n  }\n}\n',
    'sdk/typescript/package.json': '{\n  "version": "0.9.0"\n}\n',
    'sdk/typescript/src/version.ts': "export const VERSION = '0.9.0';\n",
    'sdk/cli/package.json': '{\n  "version": "0.9.0"\n}\n',
    'sdk/python/pyproject.toml': '[project]\nversion = "0.9.0"\n',
    'sdk/python/galeri/version.py': 'VERSION = "0.9.0"\n',
    'sdk/php/Galeri.php': "    public const VERSION = '0.9.0';\n",
    'CHANGELOG.md': changelog,
  };
  const readFrom = (fields: Record<string, string>) => (file: string) => fields[file]!;

  test('writes the version into every place and dates what is unreleased', () => {
    const released = Object.fromEntries(releasedFiles('0.10.0', '2026-02-28', readFrom(files)));
    expect(Object.keys(released).sort()).toEqual([...PLACES.map(({ file }) => file), 'CHANGELOG.md'].sort());
    expect(versionProblems(readFrom(released))).toEqual([]);
    expect(released['package-lock.json']).toContain('"node_modules/x": {\n      "version": "0.9.0"');
    expect(released['CHANGELOG.md']).toBe(
      '# Changelog\n\nLead.\n\n## Unreleased\n\n## 0.10.0 - 2026-02-28\n\n- New.\n\n## 0.9.0 - 2026-01-31\n\n- Old.\n',
    );
  });

  test('refuses a version that is not newer or not a version, and a release without changes', () => {
    const release = (version: string, fields = files) => releasedFiles(version, '2026-02-28', readFrom(fields));
    expect(() => release('0.9.0')).toThrow('not newer');
    expect(() => release('0.8.9')).toThrow('not newer');
    expect(() => release('v1')).toThrow('not a version');
    expect(() => release('1.0.0', { ...files, 'CHANGELOG.md': changelog.replace('- New.\n\n', '') })).toThrow('no entries');
  });

  test('names each place that differs', () => {
    const wrong = {
      ...files,
      'sdk/php/Galeri.php': "const VERSION = '0.8.0';",
      'CHANGELOG.md': changelog.replace(' - 2026-01-31', ''),
    };
    expect(versionProblems(readFrom(wrong))).toEqual([
      'sdk/php/Galeri.php: 0.8.0, but package.json has 0.9.0',
      'CHANGELOG.md: "0.9.0" is not "VERSION - YYYY-MM-DD"',
      'CHANGELOG.md: the newest release is missing, package.json has 0.9.0',
    ]);
  });
});
