// Zip files, written part by part without holding a whole part. The same parts always give the same bytes.
import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

export interface ZipPart {
  readonly name: string;
  readonly content: AsyncIterable<string> | Iterable<string>;
}

const VERSION = 20;
/** Sizes follow the content, because they are not known in advance; names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;
/** The first day of the format, because a file must not depend on the time of writing. */
const DAY_1980 = 0x21;

interface Written {
  readonly name: Buffer;
  readonly offset: number;
  crc: number;
  size: number;
  packed: number;
}

export async function* zipOf(parts: Iterable<ZipPart>): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let offset = 0;
  for (const { name, content } of parts) {
    const part: Written = { name: Buffer.from(name), offset, crc: 0, size: 0, packed: 0 };
    const head = Buffer.concat([localHead(part), part.name]);
    yield head;
    for await (const piece of deflated(content, part)) {
      part.packed += piece.length;
      yield piece;
    }
    const sizes = Buffer.alloc(16);
    writeAll(sizes, 0, 4, [0x08074b50, part.crc, part.packed, part.size]);
    yield sizes;
    offset += head.length + part.packed + sizes.length;
    written.push(part);
  }
  const directory = Buffer.concat(written.flatMap((part) => [directoryHead(part), part.name]));
  yield directory;
  yield endOf(written.length, directory.length, offset);
}

async function* deflated(content: ZipPart['content'], part: Written): AsyncGenerator<Buffer> {
  const measured = async function* (): AsyncGenerator<Buffer> {
    for await (const text of content) {
      const bytes = Buffer.from(text);
      part.crc = crc32(bytes, part.crc);
      part.size += bytes.length;
      yield bytes;
    }
  };
  // The reader gets the error, below.
  const packed = pipeline(Readable.from(measured()), createDeflateRaw(), () => {});
  for await (const piece of packed) yield piece as Buffer;
}

/** Numbers of 2 or 4 bytes in sequence. */
function writeAll(into: Buffer, from: number, width: 2 | 4, values: readonly number[]): void {
  for (const [place, value] of values.entries()) into.writeUIntLE(value, from + place * width, width);
}

function localHead({ name }: Written): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  writeAll(head, 4, 2, [VERSION, FLAGS, DEFLATED, 0, DAY_1980]);
  head.writeUInt16LE(name.length, 26);
  return head;
}

function directoryHead({ name, offset, crc, size, packed }: Written): Buffer {
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  writeAll(head, 4, 2, [VERSION, VERSION, FLAGS, DEFLATED, 0, DAY_1980]);
  writeAll(head, 16, 4, [crc, packed, size]);
  head.writeUInt16LE(name.length, 28);
  head.writeUInt32LE(offset, 42);
  return head;
}

function endOf(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
