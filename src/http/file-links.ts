// Serves files at /files. Only a signed link gives access, and headers keep browsers from showing a file as a page.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { logOpening } from '../domain/documents/file-openings.ts';
import { LINK_SECONDS, type LinkedFile, readLink } from '../domain/files/file-links.ts';
import type { Files } from '../domain/files/file-store.ts';
import { findLinkedFile } from '../domain/files/stored-files.ts';
import type { Secrets } from '../domain/vault/secrets.ts';
import type { Clock } from '../kit/clock.ts';
import { type Database, isUnavailable } from '../kit/db.ts';
import { Failure, fail } from '../kit/errors.ts';
import { newRequestId } from '../kit/ids.ts';
import type { Log } from '../kit/log.ts';
import type { Actor } from '../kit/work.ts';
import { pathOf } from './api/call.ts';
import { requireWorld, type Worlds } from './api/worlds.ts';
import type { Handler } from './server.ts';
import type { Budgets } from './wire/budgets.ts';
import { pipeFile } from './wire/pipe-file.ts';
import { localeOf, type Meta, refused, writeReply } from './wire/reply.ts';

export interface FileLinkParts {
  readonly database: Database;
  /** Null unless SANDBOX=isolated. */
  readonly worlds: Worlds | null;
  readonly secrets: Secrets;
  readonly files: Files;
  readonly budgets: Budgets;
  readonly clock: Clock;
  readonly errorPages: string | null;
  readonly common: readonly string[];
  readonly addressOf: (request: IncomingMessage) => string;
  readonly log: Log;
}

interface FileCall extends Meta {
  readonly realNow: Date;
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'application/pdf': '.pdf',
};

export function createFileLinks(parts: FileLinkParts): Handler {
  return async (request, response) => {
    const realNow = parts.clock.realNow();
    const call = { id: newRequestId(realNow.getTime()), now: parts.clock.now(), realNow, errorPages: parts.errorPages };
    try {
      await serve(parts, call, request, response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else writeReply(response, call.id, replyTo(parts, call, request, error), parts.common, false);
    }
  };
}

async function serve(parts: FileLinkParts, call: FileCall, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET' } = request;
  if (method !== 'GET' && method !== 'HEAD') {
    const allowed = 'GET, HEAD';
    fail('method_not_allowed', { headers: { Allow: allowed }, words: { method, allowed } });
  }
  const [path = ''] = pathOf(request.url ?? '/').split('?');
  const link = readLink(parts.secrets.files, path.slice('/files/'.length)) ?? fail('not_found');
  const left = link.expires - Math.floor(call.realNow.getTime() / 1000);
  if (left <= 0) fail('link_expired');
  await parts.budgets.fileReads.during(link.dataSet, () => sendKept(parts, call, { ...link, left }, request, response));
}

async function sendKept(
  parts: FileLinkParts,
  call: FileCall,
  link: LinkedFile & { readonly left: number },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const file = await parts.database.inTenant(link.dataSet, 'read', (db) => findLinkedFile(db, link.fileId));
  if (file.environment === 'sandbox') await requireWorld(parts.worlds, link.dataSet);
  const found = await parts.files.store.get(file.name);
  if (found === null) {
    parts.log.error('a stored file is missing from the store', { file_id: link.fileId, data_set: link.dataSet });
    return fail('not_found');
  }
  if (file.is_sensitive && request.method !== 'HEAD') {
    // Before the first byte: a file is not sent if the download cannot be audited.
    await logOpening(parts.database, link.dataSet, link.fileId, readerOf(parts, call, request)).catch((error: Error) => {
      found.stream.destroy();
      throw error;
    });
  }
  const cached = file.is_sensitive ? 'no-store' : `private, max-age=${Math.min(link.left, LINK_SECONDS)}`;
  response.writeHead(200, [
    ...['Content-Type', file.content_type, 'Content-Length', String(found.sizeBytes)],
    ...['Content-Disposition', `attachment; filename="${link.fileId}${EXTENSIONS[file.content_type] ?? ''}"`],
    ...['Content-Security-Policy', "default-src 'none'; sandbox", 'Referrer-Policy', 'no-referrer'],
    ...['Cache-Control', cached, 'X-Request-Id', call.id, ...parts.common],
  ]);
  await pipeFile(request, response, found);
}

/** The actor for the audit log. The link's holder was authenticated when the link was issued. */
const readerOf = ({ addressOf }: FileLinkParts, { id }: FileCall, request: IncomingMessage): Actor => ({
  type: 'system',
  name: 'file link',
  ip: addressOf(request),
  requestId: id,
  userAgent: request.headers['user-agent']?.replace(/[^\x20-\x7e]/g, '?').slice(0, 300) ?? null,
});

function replyTo(parts: FileLinkParts, call: FileCall, request: IncomingMessage, error: unknown) {
  const locale = localeOf(request.headers['accept-language']);
  if (error instanceof Failure) return refused(error.code, error.facts, call, locale);
  const unavailable = isUnavailable(error);
  parts.log[unavailable ? 'warn' : 'error']('a file could not be read', { request_id: call.id, reason: String(error) });
  return refused(unavailable ? 'service_unavailable' : 'internal_error', {}, call, locale);
}
