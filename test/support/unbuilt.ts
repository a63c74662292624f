// The catalog as it is when a row has no body yet: all have one, and the next new row will begin without.
import type { Resource } from '../../src/kit/endpoint.ts';
import { resources } from '../../src/resources/index.ts';

export const without = (...ids: string[]): Resource[] =>
  resources.map((resource) => ({
    ...resource,
    rows: resource.rows.map((row) => (ids.includes(row.id) ? { ...row, body: null } : row)),
  }));
