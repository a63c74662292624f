// The catalog with an endpoint that has no body yet: all have one, and the next new endpoint starts without.
import type { Resource } from '../../src/kit/endpoint.ts';
import { resources } from '../../src/resources/index.ts';

export const without = (...ids: string[]): Resource[] =>
  resources.map((resource) => ({
    ...resource,
    endpoints: resource.endpoints.map((endpoint) => (ids.includes(endpoint.id) ? { ...endpoint, body: null } : endpoint)),
  }));
