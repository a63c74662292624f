import { describe, expect, test } from 'vitest';
import { resources } from '../../src/resources/index.ts';
import { specCategories, specEndpoints, specScopeResources } from './spec-text.ts';

const RISKS = { R: 'read', W: 'write', D: 'destructive', S: 'sensitive' } as const;
const STATUSES = { A: 'Aktif', Y: 'Yakında' } as const;

const endpoints = resources.flatMap(({ category, endpoints }) => endpoints.map((endpoint) => ({ ...endpoint, category })));

describe('the specification', () => {
  test('catalogues 185 endpoints in 28 categories, six of them live', () => {
    expect(specEndpoints).toHaveLength(185);
    expect(specCategories).toHaveLength(28);
    expect(specEndpoints.filter((endpoint) => endpoint.status === 'A').map((endpoint) => endpoint.id)).toEqual([
      'GET account',
      'GET vehicles',
      'GET customers',
      'GET developer/usage',
      'GET developer/request-logs',
      'GET developer/rate-limit',
    ]);
  });

  test('names 26 resources of scopes, and no endpoint a scope outside them', () => {
    expect(specScopeResources).toHaveLength(26);
    for (const endpoint of specEndpoints) {
      const [resource, kind] = endpoint.scope.split(':');
      expect(specScopeResources, endpoint.id).toContain(resource);
      expect(['read', 'write'], endpoint.id).toContain(kind);
    }
  });
});

describe('the catalog of the service', () => {
  test('has the categories of the specification in its order', () => {
    expect(resources.map(({ category }) => category.en)).toEqual(specCategories);
  });

  test('has every endpoint of the specification in its order, with its category, scope, risk and status', () => {
    const actual = endpoints.map((endpoint) => ({
      category: endpoint.category.en,
      method: endpoint.method,
      path: endpoint.path,
      scope: endpoint.scope,
      risk: endpoint.risk,
      status: endpoint.status,
      id: endpoint.id,
    }));
    const specified = specEndpoints.map((endpoint) => ({
      ...endpoint,
      risk: RISKS[endpoint.risk as keyof typeof RISKS],
      status: STATUSES[endpoint.status as keyof typeof STATUSES],
    }));
    expect(actual).toEqual(specified);
  });

  test('names every endpoint by method and path, and no method and path twice', () => {
    for (const endpoint of endpoints) expect(endpoint.id).toBe(`${endpoint.method} ${endpoint.path}`);
    expect(new Set(endpoints.map((endpoint) => endpoint.id)).size).toBe(185);
  });

  test('has no two paths that differ only in the name of a parameter', () => {
    const shapes = new Map<string, string>();
    for (const { path } of endpoints) {
      const shape = path.replace(/\{\w+\}/g, '{}');
      expect(shapes.get(shape) ?? path).toBe(path);
      shapes.set(shape, path);
    }
  });

  test('requires a read scope for every GET, and a write scope for everything else', () => {
    for (const endpoint of endpoints) {
      if (endpoint.scope.endsWith(':read')) expect(endpoint.method, endpoint.id).toBe('GET');
      else expect(endpoint.method, endpoint.id).not.toBe('GET');
    }
  });

  test.each(resources.map((resource) => [resource.category.en, resource] as const))(
    'gives every endpoint of %s a unique English and Turkish name',
    (_, { category, endpoints: own }) => {
      expect(category.tr.trim()).not.toBe('');
      for (const locale of ['en', 'tr'] as const) {
        const names = own.map((endpoint) => endpoint.name[locale]);
        for (const name of names) expect(name).toMatch(/^\S.*\S$/);
        expect(new Set(names).size).toBe(names.length);
      }
    },
  );

  test('has a body for each of the six live endpoints', () => {
    for (const endpoint of endpoints.filter(({ status }) => status === 'Aktif'))
      expect(endpoint.body, endpoint.id).not.toBeNull();
  });
});
