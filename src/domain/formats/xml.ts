// XML from outside, parsed as it arrives: bounded in size and depth, in the encoding it declares, without document types (the
// source of entity expansion and file access). Only this file imports the XML library.
import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';

/** What is wrong with the document, in one line. */
export class XmlError extends Error {}

/** It has more elements than the limit. */
export class XmlTooLarge extends XmlError {}

export interface XmlElement {
  /** As written, including the prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The element's own text, trimmed and without the text of its children. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

export interface XmlLimits {
  /** Bytes of the whole document. */
  readonly bytes: number;
  readonly depth: number;
  /** Characters of one record, and of any text between two tags. */
  readonly record: number;
  /** Elements of the whole document, because each takes time even if it is short. */
  readonly elements: number;
}

/** Yields the elements at `path`, which begins with the root's name (`*` matches any). Only one element is held in memory. */
export async function* xmlRecords(
  bytes: AsyncIterable<Uint8Array>,
  path: readonly string[],
  limits: XmlLimits,
): AsyncGenerator<XmlElement> {
  const document = openDocument(path, limits);
  for await (const part of bytes) yield* document.read(part);
  yield* document.end();
}

/** A small document, whole. */
export function readXml(bytes: Uint8Array, limits: Omit<XmlLimits, 'record' | 'elements'>): XmlElement {
  const document = openDocument(null, { ...limits, record: limits.bytes * 4, elements: Infinity });
  const [root] = [...document.read(bytes), ...document.end()];
  return root!;
}

interface OpenDocument {
  read(bytes: Uint8Array): XmlElement[];
  end(): XmlElement[];
}

/** Long input is parsed in pieces, so that a limit is noticed soon after it is passed. */
const PIECE = 65_536;

function openDocument(path: readonly string[] | null, limits: XmlLimits): OpenDocument {
  const elements = collectElements(path, limits);
  const decode = openDecoder();
  let size = 0;
  const write = (text: string): XmlElement[] => {
    for (let at = 0; at < text.length; at += PIECE) elements.write(text.slice(at, at + PIECE));
    return elements.take();
  };
  const read = (bytes: Uint8Array): XmlElement[] => {
    size += bytes.length;
    if (size > limits.bytes) throw new XmlError(`it is larger than ${limits.bytes} bytes`);
    return asXmlError(() => write(decode(bytes, true)));
  };
  const end = (): XmlElement[] =>
    asXmlError(() => {
      if (size === 0) throw new XmlError('it is empty');
      const last = write(decode(new Uint8Array(), false));
      elements.close();
      return [...last, ...elements.take()];
    });
  return { read, end };
}

function asXmlError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof XmlError) throw error;
    if (error instanceof TypeError) throw new XmlError('it contains bytes that are invalid in its encoding');
    throw new XmlError(`it is not well-formed XML (${(error as Error).message.replace(/\.$/, '')})`);
  }
}

/** The cost of an element besides its characters. */
const OVERHEAD = 64;

interface GrowingElement {
  readonly name: string;
  readonly attributes: Record<string, string>;
  text: string;
  readonly children: GrowingElement[];
}

function collectElements(path: readonly string[] | null, limits: XmlLimits) {
  const parser = new SaxesParser({ xmlns: false });
  const names: string[] = [];
  const open: GrowingElement[] = [];
  let found: XmlElement[] = [];
  let size = 0;
  let sinceTag = 0;
  let count = 0;
  const grow = (by: number) => {
    size += by;
    if (size > limits.record) throw new XmlError(`a record is larger than ${limits.record} characters`);
  };
  const isRecord = () =>
    names.length === (path?.length ?? 1) && (path?.every((name, index) => name === '*' || names[index] === name) ?? true);
  const addText = (text: string) => {
    const last = open.at(-1);
    if (last === undefined) return;
    grow(text.length);
    last.text += text;
  };
  parser.on('doctype', () => {
    throw new XmlError('it has a document type declaration (DOCTYPE), which is not supported');
  });
  parser.on('opentag', ({ name, attributes }) => {
    sinceTag = 0;
    count += 1;
    if (count > limits.elements) throw new XmlTooLarge(`it has more than ${limits.elements} elements`);
    names.push(name);
    if (names.length > limits.depth) throw new XmlError(`its elements are nested more than ${limits.depth} levels deep`);
    if (open.length === 0 && !isRecord()) return;
    grow(OVERHEAD + Object.entries(attributes).reduce((sum, [key, value]) => sum + OVERHEAD + key.length + value.length, 0));
    const element: GrowingElement = { name, attributes, text: '', children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    sinceTag = 0;
    names.pop();
    const element = open.pop();
    if (element === undefined) return;
    element.text = element.text.trim();
    if (open.length > 0) return;
    found.push(element);
    size = 0;
  });
  return {
    write: (text: string) => {
      sinceTag += text.length;
      if (sinceTag > limits.record + PIECE) throw new XmlError(`a part of it is larger than ${limits.record} characters`);
      parser.write(text);
    },
    close: () => parser.close(),
    take: () => {
      const taken = found;
      found = [];
      return taken;
    },
  };
}

/** As declared; the banks of Türkiye and Northern Cyprus and older feeds use one of these for Turkish. */
const ENCODINGS: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
  'iso-8859-9': 'windows-1254',
  latin5: 'windows-1254',
  'windows-1254': 'windows-1254',
  cp1254: 'windows-1254',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'windows-1252': 'windows-1252',
};

const HEAD = 256;

/** Bytes to text. The first bytes are held back until they show the encoding. */
function openDecoder(): (bytes: Uint8Array, more: boolean) => string {
  let decoder: TextDecoder | null = null;
  let head = Buffer.alloc(0);
  return (bytes, more) => {
    if (decoder !== null) return decoder.decode(bytes, { stream: more });
    head = Buffer.concat([head, bytes]);
    if (more && head.length < HEAD) return '';
    decoder = new TextDecoder(encodingOf(head), { fatal: true });
    return decoder.decode(head, { stream: more });
  };
}

function encodingOf(head: Buffer): string {
  const [first, second, third] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  const declared = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"']{1,40})["']/.exec(head.toString('latin1', 0, HEAD))?.[1];
  if (declared === undefined) return 'utf-8';
  const known = ENCODINGS[declared.toLowerCase()];
  if (known === undefined) throw new XmlError(`its encoding, ${declared.replace(/[^\w.-]/g, '?')}, is not supported`);
  return known;
}
