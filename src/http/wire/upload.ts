// Receives a form with a file and writes the file to disk as it arrives. Nothing in it is trusted: names are compared with the
// endpoint's fields, and the file's name and type are ignored.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import { type FieldError, unknownField } from '../../domain/records/fields.ts';
import type { Upload } from '../../kit/endpoint.ts';
import { Failure, fail } from '../../kit/errors.ts';
import type { UploadedFile } from '../../kit/file.ts';
import { inFolder, type Receiver } from './receive.ts';
import { brokenOff, readPieces, requirePlain, tooLarge } from './request-body.ts';

export interface ReceivedForm {
  /** The text parts as JSON values; an empty one counts as not given. */
  readonly fields: Record<string, unknown>;
  readonly file: UploadedFile;
}

/** For boundaries, part headers and texts. */
const MAX_FORM_OVERHEAD = 64 * 1024;
const LIMITS = { fields: 20, files: 5, parts: 25, fieldSize: 16 * 1024, headerPairs: 20, headerSize: 8 * 1024 } as const;

export const isForm = (request: IncomingMessage): boolean =>
  /^multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '');

/** The file exists until `use` ends. */
export async function withForm<T>(
  request: IncomingMessage,
  upload: Upload<unknown>,
  receiver: Receiver,
  use: (form: ReceivedForm) => Promise<T>,
): Promise<T> {
  requirePlain(request, 'multipart/form-data');
  if (Number(request.headers['content-length'] ?? 0) > upload.maxBytes + MAX_FORM_OVERHEAD) tooLarge(upload.maxBytes);
  return inFolder(receiver, async (folder, count) => use(await receive(request, upload, folder, count)));
}

async function receive(
  request: IncomingMessage,
  upload: Upload<unknown>,
  folder: string,
  count: (bytes: number) => void,
): Promise<ReceivedForm> {
  const form = await openForm(request);
  const parts = collect(form, upload.maxBytes, folder);
  try {
    await Promise.race([feed(request, form, upload.maxBytes, parts.refused, count), parts.refused]);
    await Promise.race([parts.ended, parts.refused]);
    const [file] = await Promise.race([Promise.all(parts.writing), parts.refused]);
    if (file === undefined) parts.errors.push(MISSING);
    if (parts.errors.length > 0) fail('validation_failed', { details: parts.errors });
    return { fields: valuesOf(upload, parts.texts), file: file! };
  } finally {
    await parts.close();
  }
}

/** The parser is loaded with the first form, because most processes never receive one. */
async function openForm(request: IncomingMessage): Promise<BusboyInstance> {
  const { Busboy } = await import('@fastify/busboy');
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type']! },
      limits: LIMITS,
      // Decided by the part's name, not by its headers.
      isPartAFile: (name, _type, fileName) => name === 'file' || fileName !== undefined,
    });
  } catch {
    return fail('unsupported_media_type', { words: { allowed: 'multipart/form-data; boundary=…' } });
  }
}

/** Pauses the caller while the disk is slower. */
async function feed(
  request: IncomingMessage,
  form: BusboyInstance,
  maxBytes: number,
  refused: Promise<never>,
  count: (bytes: number) => void,
): Promise<void> {
  let left = maxBytes + MAX_FORM_OVERHEAD;
  let isOver = false;
  refused.catch(() => {
    isOver = true;
  });
  await readPieces(request, (piece) => {
    left -= piece.length;
    if (left < 0) tooLarge(maxBytes);
    if (isOver) throw brokenOff();
    count(piece.length);
    if (form.write(piece)) return;
    return Promise.race([new Promise<void>((resolve) => form.once('drain', resolve)), refused]);
  });
  if (isOver) throw brokenOff();
  form.end();
}

function collect(form: BusboyInstance, maxBytes: number, folder: string) {
  const texts = new Map<string, string>();
  const errors: FieldError[] = [];
  const writing: Promise<UploadedFile>[] = [];
  const streams: BusboyFileStream[] = [];
  const seen = new Set<string>();
  let refuse: (error: unknown) => void = () => {};
  const refused = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  refused.catch(() => {});
  const ended = new Promise<void>((resolve) => form.on('finish', resolve));
  const broken = () => refuse(new Failure('validation_failed', { details: [BROKEN] }));
  form.on('error', broken);
  // Refused at once: the library does not handle errors of parts beyond its limit, and a truncated one would end the process.
  form.on('partsLimit', () => refuse(new Failure('validation_failed', { details: [TOO_MANY] })));
  for (const limit of ['fieldsLimit', 'filesLimit'] as const)
    form.on(limit, () => errors.includes(TOO_MANY) || errors.push(TOO_MANY));
  const isFirst = (name: string | undefined): name is string => {
    const fault = name === undefined ? NAMELESS : seen.has(name) ? doubled(name) : null;
    if (fault !== null) errors.push(fault);
    else seen.add(name!);
    return fault === null;
  };
  form.on('field', (name: string | undefined, text, _nameCut, isCut) => {
    if (!isFirst(name)) return;
    if (isCut) errors.push(tooLong(name));
    else texts.set(name, text);
  });
  form.on('file', (name: string | undefined, stream) => {
    const isWanted = isFirst(name) && name === 'file';
    if (!isWanted) {
      if (name !== undefined && name !== 'file') errors.push(unknownField(name, ['file']));
      stream.on('error', broken).resume();
      return;
    }
    streams.push(stream);
    const written = writeFile(stream, folder, maxBytes);
    // An error of the disk is not the form's fault.
    written.catch((error) => (error instanceof Failure || 'syscall' in error ? refuse(error) : broken()));
    writing.push(written);
  });
  const close = async () => {
    for (const stream of streams) stream.destroy(brokenOff());
    await Promise.allSettled(writing);
  };
  return { texts, errors, writing, refused, ended, close };
}

async function writeFile(stream: BusboyFileStream, folder: string, maxBytes: number): Promise<UploadedFile> {
  const path = join(folder, 'file');
  const hash = createHash('sha256');
  let sizeBytes = 0;
  await pipeline(
    stream,
    async function* measured(pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        sizeBytes += piece.length;
        if (sizeBytes > maxBytes) tooLarge(maxBytes);
        hash.update(piece);
        yield piece;
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
  );
  return { path, folder, sizeBytes, sha256: hash.digest('hex') };
}

function valuesOf({ bodySchema }: Upload<unknown>, texts: ReadonlyMap<string, string>): Record<string, unknown> {
  // Without a prototype, because a part may be named __proto__.
  const fields: Record<string, unknown> = Object.create(null);
  for (const [name, text] of texts) if (text !== '') fields[name] = bodySchema.fromText(name, text);
  return fields;
}

const fault = (field: string, code: string, en: string, tr: string): FieldError => ({ field, code, message: { en, tr } });

const MISSING = fault('file', 'required', 'file is required', 'file zorunludur');
const BROKEN = fault('', 'invalid', 'The form is broken or does not end', 'Form bozuk ya da tamamlanmamış');
const TOO_MANY = fault('', 'out_of_range', 'The form has too many parts', 'Formda çok fazla bölüm var');
const NAMELESS = fault('', 'required', 'Every part of the form needs a name', 'Formun her bölümünün bir adı olmalı');
/** The name is shown as `unknownField` does, because a caller's text is not repeated as it is. */
const doubled = (name: string): FieldError => {
  const { field } = unknownField(name);
  return fault(field, 'repeated', `${field} is given twice`, `${field} iki kez verilmiş`);
};
const tooLong = (name: string): FieldError => {
  const { field } = unknownField(name);
  return fault(field, 'too_long', `${field} is too long`, `${field} çok uzun`);
};
