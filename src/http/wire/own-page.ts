// Whether a form was sent by a page of ours.
import type { IncomingMessage } from 'node:http';

/** Checks Sec-Fetch-Site, or Origin for older browsers. A request without both is refused. */
export function isOwnPage(request: IncomingMessage, publicUrl: string): boolean {
  const { host, origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  if (origin === undefined || !URL.canParse(origin)) return false;
  return new URL(origin).origin === new URL(publicUrl).origin || (host !== undefined && new URL(origin).host === host);
}
