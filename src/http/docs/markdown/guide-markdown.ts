// The guide as Markdown, for programs and agents. Its texts are Markdown already (parts/docs-parts.ts, prose).
import type { Locale, Text } from '../../../kit/errors.ts';
import type { DocsView } from '../docs-view.ts';
import { guideOf } from '../guide/docs-guide.ts';

export const guideMarkdown = (view: DocsView): string =>
  guideOf(view)
    .map(
      ({ id, title, text, moreMarkdown }) =>
        `${[`## ${title[view.locale]} {#${id}}`, ...text.map((part) => block(part, view.locale)), ...(moreMarkdown === undefined ? [] : [moreMarkdown(view)])].join('\n\n')}\n`,
    )
    .join('\n');

const isGroup = (part: Text | readonly Text[]): part is readonly Text[] => Array.isArray(part);

const block = (part: Text | readonly Text[], locale: Locale): string =>
  isGroup(part) ? part.map((item) => `- ${item[locale]}`).join('\n') : part[locale];
