// An uploaded scan: stored byte for byte; its first bytes determine its type.
import { open, stat } from 'node:fs/promises';
import { type Detail, fail } from '../../kit/errors.ts';
import type { NewFile, UploadedFile } from '../../kit/file.ts';
import { newFile } from '../files/stored-files.ts';

export const MAX_SCAN_BYTES: number = 10 * 1024 * 1024;

const TYPES: readonly (readonly [RegExp, string])[] = [
  [/^%PDF-[12]\.\d/, 'application/pdf'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^RIFF[\s\S]{4}WEBP/, 'image/webp'],
];

const UNSUPPORTED: Detail = {
  field: 'file',
  code: 'unsupported_file',
  message: { en: 'file must be a PDF, JPEG, PNG or WebP', tr: 'file PDF, JPEG, PNG ya da WebP olmalı' },
};

export async function storeScan({ path }: UploadedFile): Promise<readonly NewFile[]> {
  const type = (await stat(path)).size === 0 ? undefined : await typeOf(path);
  if (type === undefined) return fail('unsupported_file', { details: [UNSUPPORTED] });
  return [await newFile(path, type)];
}

async function typeOf(path: string): Promise<string | undefined> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(12), 0, 12, 0);
    const head = buffer.toString('latin1', 0, bytesRead);
    return TYPES.find(([signature]) => signature.test(head))?.[1];
  } finally {
    await handle.close();
  }
}
