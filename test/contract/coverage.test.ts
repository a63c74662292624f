import { expect, test } from 'vitest';
import { resources } from '../../src/resources/index.ts';
import { REQUESTS } from './requests.ts';

const endpoints = resources.flatMap((resource) => resource.endpoints);

test('every endpoint with a body has a valid request in test/contract/requests.ts', () => {
  const missing = endpoints.filter((endpoint) => endpoint.body !== null && REQUESTS[endpoint.id] === undefined);
  expect(missing.map((endpoint) => endpoint.id)).toEqual([]);
});

test('every request in test/contract/requests.ts belongs to an endpoint with a body', () => {
  const built = new Set(endpoints.filter((endpoint) => endpoint.body !== null).map((endpoint) => endpoint.id));
  expect(Object.keys(REQUESTS).filter((id) => !built.has(id))).toEqual([]);
});
