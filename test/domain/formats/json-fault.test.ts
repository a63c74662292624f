import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { findJsonFault } from '../../../src/domain/formats/json-fault.ts';

describe('the place of the first fault in JSON', () => {
  test.each([
    ['{"a":1,}', 1, 8],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ["{'a': 1}", 1, 2],
    ['{"a": tru}', 1, 7],
    ['{"a": 01}', 1, 8],
    ['{"a": "x\ty"}', 1, 9],
    ['{"a": "\\x"}', 1, 8],
    ['[1 2]', 1, 4],
    ['{"a" 1}', 1, 6],
    ['{} {}', 1, 4],
    ['\ufeff{}', 1, 1],
  ])('%j is at line %i, column %i', (text, line, column) => {
    expect(findJsonFault(text)).toEqual({ line, column, isEnd: false });
  });

  test.each(['', '{"brand":', '{"a": "x', '[[[', '{"a": 1, "b"'])('%j ends too early', (text) => {
    expect(findJsonFault(text)).toEqual({ line: 1, column: text.length + 1, isEnd: true });
  });

  it('agrees with JSON.parse on every text', () => {
    const letters = fc.constantFrom(...'{}[]",:\\ \n-+.0123456789eEtrufalsn'.split(''), '"a"', 'true', 'null', '\\u00e9');
    const damaged = fc.tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 })).map(([text, at, piece]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + piece + text.slice(place + 1);
    });
    const texts = fc.oneof(
      fc.json(),
      damaged,
      fc.array(letters, { maxLength: 12 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(findJsonFault(text) === null, JSON.stringify(text)).toBe(isJson(text));
      }),
      { numRuns: 3000 },
    );
  });

  it('works on any depth', () => {
    expect(findJsonFault('['.repeat(500_000))).toMatchObject({ column: 500_001, isEnd: true });
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
