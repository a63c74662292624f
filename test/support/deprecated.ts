// The catalog with an endpoint that is declared deprecated: a release has none most of the time.
import type { Deprecation, Resource } from '../../src/kit/endpoint.ts';
import { resources } from '../../src/resources/index.ts';

export const withDeprecated = (id: string, deprecated: Deprecation): Resource[] =>
  resources.map((resource) => ({
    ...resource,
    endpoints: resource.endpoints.map((endpoint) =>
      endpoint.id === id && endpoint.body !== null ? { ...endpoint, body: { ...endpoint.body, deprecated } } : endpoint,
    ),
  }));
