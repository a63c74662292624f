// Extracts the reference's samples from its pages, without knowing how a sample is made.
import { apiEndpoints } from '../../src/http/api/api-endpoints.ts';
import { endpointAnchor } from '../../src/http/docs/parts/docs-endpoint.ts';
import { resources } from '../../src/resources/index.ts';

export interface Printed {
  readonly page: string;
  /** Of its section: an endpoint's anchor, or a section of the guide. */
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
      page,
      section,
      label: plain(label!),
      text: plain(code!),
      languages: [...classes!.matchAll(/ in-(\w+)/g)].map(([, id]) => id!),
    }));
  });
}

const ROWS = new Map(apiEndpoints(resources).map((endpoint) => [endpointAnchor(endpoint), endpoint.id]));

/** The endpoint that a sample calls: that of its section. */
export const rowOf = ({ section }: Printed): string | undefined =>
  ({ 'first-request': 'GET vehicles', files: 'POST vehicles/{vehicle_id}/photos' })[section] ?? ROWS.get(section);
