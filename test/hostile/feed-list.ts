// Hostile feeds: broken, endless, deep, compressed, mislabelled. Each with the allowed result of a run.
import { workbookOfElements } from '../support/workbooks.ts';

export interface HostileFeed {
  readonly name: string;
  readonly type: 'csv' | 'json' | 'xml';
  readonly content: Buffer;
  /** The only allowed failure; null: it ends, and every row failed or there was none. */
  readonly code: string | null;
}

const HEADER = 'Ad;Soyad;Telefon\n';
const MB = 1024 * 1024;

export function hostileFeeds(): HostileFeed[] {
  const of = (type: HostileFeed['type']) => (name: string, content: string | Buffer, code: string | null) => ({
    name: `${type}: ${name}`,
    type,
    content: Buffer.from(content as string),
    code,
  });
  return [...csvFeeds(of('csv')), ...jsonFeeds(of('json')), ...xmlFeeds(of('xml'))];
}

type Make = (name: string, content: string | Buffer, code: string | null) => HostileFeed;

const csvFeeds = (csv: Make): HostileFeed[] => [
  csv('nothing but spaces', ' \n\t\n', 'source_empty'),
  csv('NULs', Buffer.alloc(MB), 'row_too_long'),
  csv('random bytes', Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7919 + 131) & 0xff)), 'invalid_encoding'),
  csv('UTF-8 cut in a letter', Buffer.concat([Buffer.from(`${HEADER}Ay`), Buffer.of(0xc5)]), 'invalid_encoding'),
  csv('a lone surrogate in UTF-16', Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]), 'invalid_encoding'),
  csv('a million columns', `${'x;'.repeat(MB)}\n`, 'row_too_long'),
  csv('an endless header', 'x'.repeat(9 * MB), 'row_too_long'),
  csv('an endless line', `${HEADER}${'x'.repeat(9 * MB)}`, 'row_too_long'),
  csv('an endless cell', `${HEADER}"${'x\n'.repeat(4 * MB)}`, 'row_too_long'),
  csv('a line of delimiters', `${HEADER}${';'.repeat(9 * MB)}\n`, 'row_too_long'),
  csv('an open quote', `${HEADER}"Ali;Can;0533 000 00 00\n`, 'source_unreadable'),
  csv('quotes only', `${HEADER}${'"'.repeat(10_001)}\n`, 'source_unreadable'),
  csv('too many rows', `Ad;Soyad;Telefon\n${'a;b;c\n'.repeat(200_001)}`, 'too_many_rows'),
  csv('other columns', 'A;B;C\n1;2;3\n', 'missing_column'),
  csv('each column twice', 'Ad;Soyad;Telefon;Ad;Soyad;Telefon\n1;2;3;4;5;6\n', 'missing_column'),
  csv('columns of the prototype', '__proto__;constructor;toString\n1;2;3\n', 'missing_column'),
  csv('HTML', '<!doctype html>\n<html><body>Giriş</body></html>\n', 'missing_column'),
  csv('no workbook', Buffer.concat([Buffer.from('PK\x03\x04\x14\x00'), Buffer.alloc(5000, 1)]), 'source_unreadable'),
  csv('a zip without entries', Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]), 'source_encoded'),
  csv('gzip', Buffer.concat([Buffer.of(0x1f, 0x8b, 8, 0), Buffer.alloc(1000)]), 'source_encoded'),
  csv('a workbook of millions of elements', workbookOfElements(3_100_000), 'source_too_large'),
  csv('formulas as names', `${HEADER}=cmd|' /C calc'!A0;+1;@SUM(A1)\n`, 'every_row_failed'),
  csv('control characters', `${HEADER}A\u0007li;C\u001ban;0533 000 00 00\n`, 'every_row_failed'),
  csv('rows of one cell', `${HEADER}${'x\n'.repeat(100)}`, 'every_row_failed'),
];

const jsonFeeds = (json: Make): HostileFeed[] => [
  json('a word', 'null', 'source_unreadable'),
  json('a number', '1e999999', 'source_unreadable'),
  json('a text', '"[]"', 'source_unreadable'),
  json('HTML', '<html></html>', 'source_unreadable'),
  json('an object', '{"Ad":1}', 'record_path_not_found'),
  json('a list cut off', '[{"Ad":"x"},', 'source_unreadable'),
  json('a text cut off', '[{"Ad":"x', 'source_unreadable'),
  json('an escape cut off', '[{"Ad":"x\\', 'source_unreadable'),
  json('two documents', '[][]', 'source_unreadable'),
  json('the wrong brackets', '[{"Ad":"x"]}', 'source_unreadable'),
  json('nine million levels', '['.repeat(9 * MB), 'source_unreadable'),
  json('levels of objects', '{"a":'.repeat(MB), 'source_unreadable'),
  json('levels in a record', `[{"a":${'[{"a":'.repeat(MB)}`, 'source_unreadable'),
  json('an endless key', `{"${'x'.repeat(9 * MB)}`, 'source_unreadable'),
  json('an endless text', `[{"Ad":"${'x'.repeat(9 * MB)}`, 'source_unreadable'),
  json('a record too long', `[{"Ad":"${'x'.repeat(9 * MB)}"}]`, 'missing_column'),
  json('a number too long', `[{"Ad":${'9'.repeat(MB)}}]`, 'missing_column'),
  json('records that are none', `[${'1,'.repeat(1000)}1]`, 'missing_column'),
  json('too many records', `[${'{},'.repeat(200_001)}{}]`, 'too_many_rows'),
  json('the prototype', '[{"__proto__":{"Ad":"x","Soyad":"y","Telefon":"z"}}]', 'missing_column'),
  json('lists and objects as values', '[{"Ad":["x"],"Soyad":[{"y":1}],"Telefon":true}]', 'every_row_failed'),
  json('a lone surrogate', '[{"Ad":"\\ud800","Soyad":"x","Telefon":"0533 000 00 00"}]', 'every_row_failed'),
  json('a NUL in a text', '[{"Ad":"a\\u0000b","Soyad":"x","Telefon":"0533 000 00 00"}]', 'every_row_failed'),
];

const laughs = (count: number, each: number) =>
  Array.from({ length: count }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(each)}">`).join('');

const xmlFeeds = (xml: Make): HostileFeed[] => [
  xml('a billion laughs', `<!DOCTYPE s [<!ENTITY l0 "ha">${laughs(9, 10)}]><s><a>&l9;</a></s>`, 'source_unreadable'),
  xml(
    'quadratic growth',
    `<!DOCTYPE s [<!ENTITY x "${'x'.repeat(100_000)}">]><s><a>${'&x;'.repeat(100_000)}</a></s>`,
    'source_unreadable',
  ),
  xml(
    'a file as entity',
    '<!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]><s><a><Ad>&x;</Ad></a></s>',
    'source_unreadable',
  ),
  xml(
    'an address as entity',
    '<!DOCTYPE s [<!ENTITY x SYSTEM "http://169.254.169.254/">]><s><a>&x;</a></s>',
    'source_unreadable',
  ),
  xml('a parameter entity', '<!DOCTYPE s [<!ENTITY % x SYSTEM "http://127.0.0.1/x.dtd"> %x;]><s/>', 'source_unreadable'),
  xml('a document type elsewhere', '<!DOCTYPE s PUBLIC "-//x" "http://127.0.0.1/x.dtd"><s><a/></s>', 'source_unreadable'),
  xml('an unknown entity', '<s><a><Ad>&xxe;</Ad></a></s>', 'source_unreadable'),
  xml('nine million levels', `<s>${'<a>'.repeat(3 * MB)}`, 'source_unreadable'),
  xml('an endless element', `<s><a><Ad>${'x'.repeat(9 * MB)}`, 'source_unreadable'),
  xml('an endless attribute', `<s><a x="${'x'.repeat(9 * MB)}`, 'source_unreadable'),
  xml('an endless comment', `<s><!--${'x'.repeat(9 * MB)}`, 'source_unreadable'),
  xml('an endless name', `<${'x'.repeat(9 * MB)}`, 'source_unreadable'),
  xml(
    'a million attributes',
    `<s><a ${Array.from({ length: 300_000 }, (_, at) => `a${at}="1"`).join(' ')}/></s>`,
    'source_unreadable',
  ),
  xml('an attribute twice', '<s><a x="1" x="2"/></s>', 'source_unreadable'),
  xml('an unknown encoding', '<?xml version="1.0" encoding="ebcdic-none"?><s/>', 'invalid_encoding'),
  xml(
    'bytes its encoding does not know',
    Buffer.concat([Buffer.from('<s><a>'), Buffer.of(0xff, 0xfe, 0xfd)]),
    'invalid_encoding',
  ),
  xml('a document cut off', '<s><a><Ad>x</Ad></a>', 'source_unreadable'),
  xml('two roots', '<s/><s/>', 'source_unreadable'),
  xml('crossed tags', '<s><a><b></a></b></s>', 'source_unreadable'),
  xml('control characters', '<s><a>\u0001</a></s>', 'source_unreadable'),
  xml('text alone', 'Merhaba', 'source_unreadable'),
  xml(
    'an includer',
    '<s xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="file:///etc/passwd"/></s>',
    'missing_column',
  ),
  xml('records that are none', `<s>${'<a/>'.repeat(1000)}</s>`, 'missing_column'),
];
