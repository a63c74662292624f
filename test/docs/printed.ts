// What the reference prints, taken out of its pages again: nothing here knows how a sample is made.
import { apiRows } from '../../src/http/api/api-rows.ts';
import { rowAnchor } from '../../src/http/docs/parts/docs-row.ts';
import { resources } from '../../src/resources/index.ts';

export interface Printed {
  readonly page: string;
  /** Of the section it stands in: an endpoint's anchor, or a section of the guide. */
  readonly section: string;
  readonly label: string;
  readonly languages: readonly string[];
  readonly text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const plain = (html: string): string => html.replace(/<[^>]*>/g, '').replace(/&[#\w]+;/g, (entity) => ENTITIES[entity] ?? entity);

export function printedOn(page: string, html: string): Printed[] {
  return html.split(/(?=<section )/).flatMap((part) => {
    const section = /^<section [^>]*?\bid="([^"]*)"/.exec(part)?.[1] ?? '';
    const figures = part.matchAll(
      /<figure class="code([^"]*)"><figcaption>(.*?)<\/figcaption><pre[^>]*><code>([\s\S]*?)<\/code>/g,
    );
    return [...figures].map(([, classes, label, code]) => ({
      ...{ page, section, label: plain(label!), text: plain(code!) },
      languages: [...classes!.matchAll(/ in-(\w+)/g)].map(([, id]) => id!),
    }));
  });
}

const ROWS = new Map(apiRows(resources).map((row) => [rowAnchor(row), row.id]));

/** The endpoint that a sample calls: the one it stands with. */
export const rowOf = ({ section }: Printed): string | undefined =>
  ({ 'first-request': 'GET vehicles', files: 'POST vehicles/{vehicle_id}/photos' })[section] ?? ROWS.get(section);
