// Ids of records: uuid v7, unique, and in the order in which they were made, also within one millisecond.
import { expect, test } from 'vitest';
import { isUuid, newId } from '../../src/kit/ids.ts';

const AT = Date.UTC(2030, 0, 1);

test('an id is a uuid of version 7 that begins with its time', () => {
  const id = newId(AT);
  expect(isUuid(id)).toBe(true);
  expect(id.replaceAll('-', '').slice(0, 12)).toBe(AT.toString(16).padStart(12, '0'));
  expect([id[14], '89ab'.includes(id[19]!)]).toEqual(['7', true]);
});

test('ids of one time ascend, also if ids of other times are made between them', () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => {
    newId(AT + 1 + (index % 500));
    return newId(AT);
  });
  expect(ids.findIndex((id, index) => index > 0 && id <= ids[index - 1]!)).toBe(-1);
});

test('the first id of a time cannot be guessed from the ids of another', () => {
  const counts = Array.from({ length: 200 }, (_, index) => newId(AT + 10_000 + index).slice(14, 23));
  expect(new Set(counts).size).toBeGreaterThan(190);
});
