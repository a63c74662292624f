import { expect, test } from 'vitest';
import { resources } from '../../src/resources/index.ts';
import { REQUESTS } from './requests.ts';

const rows = resources.flatMap((resource) => resource.rows);

test('every endpoint with a body has a valid request in test/contract/requests.ts', () => {
  const missing = rows.filter((row) => row.body !== null && REQUESTS[row.id] === undefined);
  expect(missing.map((row) => row.id)).toEqual([]);
});

test('every request in test/contract/requests.ts belongs to an endpoint with a body', () => {
  const built = new Set(rows.filter((row) => row.body !== null).map((row) => row.id));
  expect(Object.keys(REQUESTS).filter((id) => !built.has(id))).toEqual([]);
});
