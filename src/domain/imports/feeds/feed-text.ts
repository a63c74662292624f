// Decodes the bytes of a source.
import { TextDecoder } from 'node:util';
import { FeedFailure } from '../feed-row.ts';
import type { Encoding } from '../source-form.ts';

/** A byte order mark overrides the connector's setting, and UTF-8 is the default. */
export async function* textsOf(
  bytes: AsyncIterable<Buffer>,
  encoding: Encoding | null,
  declared: (first: Buffer) => string | null = () => null,
): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  for await (const part of bytes) {
    if (part.length === 0) continue;
    decoder ??= decoderFor(part, encoding ?? declared(part));
    yield decode(decoder, part);
  }
  if (decoder !== null) yield decode(decoder);
}

function decoderFor(first: Buffer, encoding: string | null): TextDecoder {
  refusePacked(first);
  try {
    return new TextDecoder(markOf(first) ?? encoding ?? 'utf-8', { fatal: true });
  } catch {
    throw new FeedFailure('invalid_encoding', {
      en: 'The source declares an unsupported character encoding',
      tr: 'Kaynak, desteklenmeyen bir karakter kodlaması bildiriyor',
    });
  }
}

/** The encoding that an XML source declares. */
export const declaredEncoding = (first: Buffer): string | null =>
  /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"']{1,40})["']/.exec(first.toString('latin1', 0, 256))?.[1] ?? null;

export function markOf(first: Buffer): Encoding | null {
  if (first[0] === 0xef && first[1] === 0xbb && first[2] === 0xbf) return 'utf-8';
  return first[0] === 0xff && first[1] === 0xfe ? 'utf-16le' : null;
}

/** Refuses archives other than workbooks for a CSV connector, because a few kilobytes may expand to gigabytes. */
export function refusePacked(first: Buffer): void {
  const isZip = first[0] === 0x50 && first[1] === 0x4b && first[2]! <= 8;
  const isGzip = first[0] === 0x1f && first[1] === 0x8b;
  if (!isZip && !isGzip) return;
  throw new FeedFailure('source_encoded', {
    en: 'The source is compressed; give it as plain CSV, JSON or XML, or as an Excel workbook (XLSX)',
    tr: 'Kaynak sıkıştırılmış; düz CSV, JSON veya XML olarak ya da Excel çalışma kitabı (XLSX) olarak verin',
  });
}

function decode(decoder: TextDecoder, part?: Buffer): string {
  try {
    return decoder.decode(part, { stream: part !== undefined });
  } catch {
    throw new FeedFailure('invalid_encoding', {
      en: `The source is not ${decoder.encoding} text; set the encoding it is in`,
      tr: `Kaynak ${decoder.encoding} metni değil; karakter kodlamasını seçin`,
    });
  }
}
