// Endpoints that will be removed: what every reply says about it (RFC 9745, RFC 8594), and what a declaration must promise.
import type { Deprecation } from '../../kit/endpoint.ts';
import { referenceOf } from './catalog.ts';

interface Declared {
  readonly id: string;
  readonly path: string;
  readonly category: string;
  readonly deprecated: Deprecation;
}

/** An endpoint works for at least this long after its replies first say that it is deprecated. */
const NOTICE_MONTHS = 12;

/** What is wrong with a declaration; null if nothing is. */
export function deprecationFault({ id, deprecated }: Declared, isKnown: (endpointId: string) => boolean): string | null {
  const { since, sunset, successor } = deprecated;
  const earliest = new Date(`${since}T00:00:00Z`);
  earliest.setUTCMonth(earliest.getUTCMonth() + NOTICE_MONTHS);
  if (sunset < earliest.toISOString().slice(0, 10)) return `${id}: ${sunset} is less than ${NOTICE_MONTHS} months after ${since}`;
  return successor === undefined || isKnown(successor) ? null : `${id}: its successor ${successor} is not in the catalog`;
}

/** Name, value, name, value … The address of a successor with ids is a URI template, so only its page is linked. */
export function deprecationHeaders(endpoint: Declared, base: string): string[] {
  const { since, sunset, successor } = endpoint.deprecated;
  const links = [`<${base}${referenceOf(endpoint)}>; rel="deprecation"`];
  const path = successor?.split(' ')[1];
  if (path !== undefined && !path.includes('{')) links.push(`<${base}/api/v1/${path}>; rel="successor-version"`);
  const at = Date.parse(`${since}T00:00:00Z`) / 1000;
  return ['Deprecation', `@${at}`, 'Sunset', new Date(`${sunset}T00:00:00Z`).toUTCString(), 'Link', links.join(', ')];
}
