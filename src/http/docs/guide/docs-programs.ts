// The complete programs that the guide shows. The tests run them; the panel shows some of them too.
import { readFileSync } from 'node:fs';
import { type Html, html } from '../../wire/html.ts';
import type { DocsView } from '../docs-view.ts';
import { codeBlock } from '../parts/docs-parts.ts';

/** Under curl, which writes no programs, the first is shown. */
const ENDINGS: readonly (readonly [ending: string, languages: readonly string[]])[] = [
  ['mjs', ['js', 'curl']],
  ['php', ['php']],
  ['py', ['py']],
];

const PLACEHOLDER = 'https://galeri.example';

const PROGRAMS = new Map<string, string>(
  ['mirror', 'retry', 'receiver'].flatMap((name) =>
    ENDINGS.map(([ending]) => {
      const text = readFileSync(new URL(`../samples/docs-${name}.${ending}`, import.meta.url), 'utf8').trim();
      return [`${name}.${ending}`, text] as const;
    }),
  ),
);

/** In each language, with the address of this service. */
export const program = (name: 'mirror' | 'retry' | 'receiver', { base }: DocsView): Html =>
  html`${ENDINGS.map(([ending, languages]) => {
    const file = `${name}.${ending}`;
    return codeBlock(file, PROGRAMS.get(file)!.replaceAll(PLACEHOLDER, base), languages);
  })}`;

/** The same for readers of Markdown. */
export const programMarkdown = (name: 'mirror' | 'retry' | 'receiver', { base }: DocsView): string =>
  ENDINGS.map(([ending]) =>
    fencedFile(`${name}.${ending}`, PROGRAMS.get(`${name}.${ending}`)!.replaceAll(PLACEHOLDER, base)),
  ).join('\n\n');

export const fencedFile = (file: string, text: string): string =>
  `**${file}**\n\n\`\`\`${file.split('.').at(-1)}\n${text}\n\`\`\``;

const RECIPE = readFileSync(new URL('../samples/docs-sandbox.mjs', import.meta.url), 'utf8').trim();

/** The test of an integration in a sandbox, with the address of this service. */
export const sandboxRecipe = ({ base }: DocsView): string => RECIPE.replaceAll(PLACEHOLDER, base);
