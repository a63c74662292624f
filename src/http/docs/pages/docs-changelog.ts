// The project's CHANGELOG.md as a page. It is written in a small part of Markdown: headings, one level of list, code, links.
import { readFileSync } from 'node:fs';
import { type Html, html } from '../../wire/html.ts';
import type { DocsView } from '../docs-view.ts';
import { prose } from '../parts/docs-parts.ts';
import { WORDS } from '../parts/docs-words.ts';

const NOTE = { en: '', tr: 'Değişiklikler İngilizce yazılır.' };

interface Release {
  readonly title: string;
  readonly changes: readonly string[];
}

/** The text before the first `##`, and each release with its items; an item may have several lines. */
export function readChangelog(text: string): { readonly lead: string; readonly releases: readonly Release[] } {
  const [head = '', ...parts] = text.split(/^## /m);
  const lead = head.replace(/^# .*/, '').trim();
  const releases = parts.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    const items = lines.join('\n').split(/^- /m).slice(1);
    return {
      title,
      changes: items.map((item) =>
        item
          .split('\n')
          .map((line) => line.trim())
          .join(' ')
          .trim(),
      ),
    };
  });
  return { lead, releases };
}

/** For readers of Markdown. */
export const CHANGELOG_TEXT: string = readFileSync(new URL('../../../../CHANGELOG.md', import.meta.url), 'utf8');
const CHANGELOG = readChangelog(CHANGELOG_TEXT);

export function changelogContent({ locale }: DocsView): Html {
  const { lead, releases } = CHANGELOG;
  const sections = releases
    .filter(({ changes }) => changes.length > 0)
    .map(({ title, changes }) => {
      const id = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
      return html`<section class="guide" id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2><ul lang="en">${changes.map((change) => html`<li>${prose(change, locale)}</li>`)}</ul></section>`;
    });
  return html`<div class="opening"><h1>${WORDS.changelog[locale]}</h1><p class="lead">${NOTE[locale] && html`${NOTE[locale]} `}<span lang="en">${prose(lead, locale)}</span></p></div>
${sections}`;
}
