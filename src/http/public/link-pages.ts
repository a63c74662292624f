// What the pages of links share, under /sign and /m: replies that nothing stores, forms of our own pages only, and PDFs.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OpenFile } from '../../domain/files/file-store.ts';
import type { Locale } from '../../kit/errors.ts';
import { isOwnPage } from '../wire/own-page.ts';
import { pipeFile } from '../wire/pipe-file.ts';
import type { Reply } from '../wire/reply.ts';
import { readBody } from '../wire/request-body.ts';

export const LINK_PAGE_CSP = `default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;
/** Allows only what a browser's own PDF viewer needs. */
const PDF_CSP = `default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Without a referrer, older browsers send forms without an origin, so it stays within the service. */
export function pushPageHeaders({ headers }: Reply): void {
  if (!headers.includes('Content-Security-Policy')) headers.push('Content-Security-Policy', LINK_PAGE_CSP);
  headers.push('X-Frame-Options', 'DENY', 'Referrer-Policy', 'same-origin');
  headers.push('Cross-Origin-Opener-Policy', 'same-origin', 'X-Robots-Tag', 'noindex');
}

export const pageReply = (status: number, html: string, more: readonly string[] = []): Reply => ({
  status,
  headers: ['Content-Type', 'text/html; charset=utf-8', 'Cache-Control', 'no-store', ...more],
  body: Buffer.from(html),
  errorCode: null,
});

/** Redirects to the page, which shows the current state. */
export const redirectTo = (path: string, locale: Locale, ...more: string[]): Reply =>
  pageReply(303, '', ['Location', `${path}?lang=${locale}`, ...more]);

/** In ASCII and bounded, as evidence keeps it. */
export const userAgentOf = ({ headers }: IncomingMessage): string | null =>
  headers['user-agent']?.replace(/[^\x20-\x7e]/g, '?').slice(0, 300) ?? null;

/** Null if the form was not sent by one of our pages. */
export async function readOwnForm(
  request: IncomingMessage,
  maxBytes: number,
  publicUrl: string,
): Promise<URLSearchParams | null> {
  const text = (await readBody(request, maxBytes, () => {})).toString('utf8');
  return isOwnPage(request, publicUrl) ? new URLSearchParams(text) : null;
}

interface SentPdf {
  readonly fileName: string;
  readonly contentType: string;
  readonly requestId: string;
  readonly common: readonly string[];
}

export async function sendPdf(
  request: IncomingMessage,
  response: ServerResponse,
  file: OpenFile,
  { fileName, contentType, requestId, common }: SentPdf,
): Promise<void> {
  response.writeHead(200, [
    ...['Content-Type', contentType, 'Content-Length', String(file.sizeBytes)],
    ...['Content-Disposition', `inline; filename="${fileName}"`, 'Cache-Control', 'no-store'],
    ...['Content-Security-Policy', PDF_CSP, 'X-Frame-Options', 'DENY', 'Referrer-Policy', 'no-referrer'],
    ...['X-Request-Id', requestId, ...common],
  ]);
  await pipeFile(request, response, file);
}
