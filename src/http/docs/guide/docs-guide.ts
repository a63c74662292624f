// The guide: how to make a request, and what holds for every endpoint.
import type { Locale, Text } from '../../../kit/errors.ts';
import { type Html, html } from '../../wire/html.ts';
import type { DocsView } from '../docs-view.ts';
import { type GuideSection, prose } from '../parts/docs-parts.ts';
import { EVENT_GUIDE } from './guide-events.ts';
import { READING_GUIDE } from './guide-reading.ts';
import { RULES_GUIDE } from './guide-rules.ts';
import { SANDBOX_GUIDE } from './guide-sandbox.ts';
import { startGuide } from './guide-start.ts';
import { WRITING_GUIDE } from './guide-writing.ts';

/** The sections for this deployment. */
export function guideOf({ sandboxRules }: DocsView): readonly GuideSection[] {
  const isIsolated = sandboxRules !== undefined && sandboxRules !== null;
  return [
    ...startGuide(isIsolated),
    ...READING_GUIDE,
    ...WRITING_GUIDE,
    ...EVENT_GUIDE,
    ...(isIsolated ? [SANDBOX_GUIDE] : []),
    ...RULES_GUIDE,
  ];
}

export const guideSections = (view: DocsView): Html[] =>
  guideOf(view).map(
    ({ id, title, text, more }) =>
      html`<section class="guide" id="${id}" aria-labelledby="${id}-title"><div class="about"><h2 id="${id}-title"><a href="#${id}">${title[view.locale]}</a></h2>${text.map((part) => paragraph(part, view.locale))}</div>${more?.(view)}</section>`,
  );

const isGroup = (part: Text | readonly Text[]): part is readonly Text[] => Array.isArray(part);

const paragraph = (part: Text | readonly Text[], locale: Locale): Html =>
  isGroup(part)
    ? html`<ul>${part.map((item) => html`<li>${prose(item[locale], locale)}</li>`)}</ul>`
    : html`<p>${prose(part[locale], locale)}</p>`;
