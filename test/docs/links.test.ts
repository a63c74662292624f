// Links between the documents lead to files that exist and to headings that are there; files of the code that they name exist.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const DOCUMENTS = globSync(['*.md', 'docs/**/*.md', 'sdk/*/README.md', 'web/README.md', 'test/tools/README.md']);

const withoutBlocks = (text: string): string => text.replaceAll(/^```.*?^```$/gms, '');

/** As GitHub makes them from headings. */
const anchorsOf = (file: string): Set<string> =>
  new Set(
    [...withoutBlocks(readFileSync(file, 'utf8')).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

function brokenLinks(file: string): string[] {
  const prose = withoutBlocks(readFileSync(file, 'utf8')).replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^https?:/.test(link))
    .filter((link) => {
      const [path, anchor] = link.split('#') as [string, string?];
      const target = path === '' ? file : join(dirname(file), path);
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).has(anchor));
    })
    .map((link) => `${file}: ${link}`);
}

test('links of the documents lead somewhere', () => {
  expect(DOCUMENTS.length).toBeGreaterThan(60);
  expect(DOCUMENTS.flatMap(brokenLinks)).toEqual([]);
});

/** Code in documents is named from the root of the repository or from one of these folders. */
const CODE_FOLDERS = [
  '',
  'src',
  'src/domain',
  'src/http',
  'src/panel',
  'web',
  'web/src',
  'web/src/records',
  'sdk/typescript',
  'test',
];
/** Written by `npm run test:record`. */
const WRITTEN_BY_COMMANDS = ['test/test-map.json'];

test('files named in the documents exist', () => {
  // A changelog names files as they were at its releases.
  const missing = DOCUMENTS.filter((file) => file !== 'CHANGELOG.md').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/`([a-z][\w-]*(?:\/[\w.-]+)+\.(?:tsx?|json|md|sql|c))`/g)]
      .map(([, path]) => path!)
      .filter((path) => !path.includes('NNNN') && !WRITTEN_BY_COMMANDS.includes(path))
      .filter((path) => !CODE_FOLDERS.some((folder) => existsSync(join(folder, path))))
      .map((path) => `${file}: ${path}`),
  );
  expect(missing).toEqual([]);
});
