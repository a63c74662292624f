// From an offset in a file of the panel's build to its source, by the build's source maps.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const PROJECT = join(import.meta.dirname, '../..');
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

interface Segment {
  readonly offset: number;
  readonly source: string;
}

/** Scripts that are served as they are written. */
const UNBUNDLED: readonly [RegExp, string][] = [
  [/^docs\.js$/, 'src/http/docs/pages/docs.js'],
  [/^start-\w+\.js$/, 'web/src/start.js'],
];

/** `undefined` for a script that is neither in the build nor one of ours. */
export function bundleSources(folder: string): (script: string, offset: number) => string | undefined {
  const assets = join(folder, 'assets');
  const names = new Set(readdirSync(assets));
  const read = new Map<string, readonly Segment[]>();
  return (script, offset) => {
    const written = UNBUNDLED.find(([name]) => name.test(script));
    if (written) return written[1];
    if (!names.has(`${script}.map`)) return undefined;
    const segments = read.get(script) ?? segmentsOf(assets, script);
    read.set(script, segments);
    // A function starts at its own first mark; without one, at the last before it.
    return (segments.find((segment) => segment.offset >= offset) ?? segments.at(-1))?.source;
  };
}

function segmentsOf(assets: string, script: string): Segment[] {
  const map = JSON.parse(readFileSync(join(assets, `${script}.map`), 'utf8')) as { sources: string[]; mappings: string };
  const sources = map.sources.map((source) => relative(PROJECT, join(dirname(join(assets, script)), source)));
  const lines = readFileSync(join(assets, script), 'utf8').split('\n');
  const segments: Segment[] = [];
  let lineStart = 0;
  let source = 0;
  map.mappings.split(';').forEach((line, at) => {
    let column = 0;
    for (const text of line.split(',')) {
      const [columns, sources_ = 0, ...rest] = numbersOf(text);
      if (columns === undefined) continue;
      column += columns;
      source += sources_;
      if (rest.length > 0) segments.push({ offset: lineStart + column, source: sources[source]! });
    }
    lineStart += (lines[at]?.length ?? 0) + 1;
  });
  return segments;
}

/** Base64 digits of five bits, least first; the sixth marks that another follows, the first of all is the sign. */
function numbersOf(text: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const digit of text) {
    const bits = DIGITS.indexOf(digit);
    value += (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}
