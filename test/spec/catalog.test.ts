import { describe, expect, test } from 'vitest';
import { resources } from '../../src/resources/index.ts';
import { specCategories, specRows, specScopeResources } from './spec-text.ts';

const RISKS = { R: 'read', W: 'write', D: 'destructive', S: 'sensitive' } as const;
const STATUSES = { A: 'Aktif', Y: 'Yakında' } as const;

const rows = resources.flatMap(({ category, rows }) => rows.map((row) => ({ ...row, category })));

describe('the specification', () => {
  test('catalogues 185 endpoints in 28 categories, six of them live', () => {
    expect(specRows).toHaveLength(185);
    expect(specCategories).toHaveLength(28);
    expect(specRows.filter((row) => row.status === 'A').map((row) => row.id)).toEqual([
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
    for (const row of specRows) {
      const [resource, kind] = row.scope.split(':');
      expect(specScopeResources, row.id).toContain(resource);
      expect(['read', 'write'], row.id).toContain(kind);
    }
  });
});

describe('the catalog of the service', () => {
  test('has the categories of the specification in its order', () => {
    expect(resources.map(({ category }) => category.en)).toEqual(specCategories);
  });

  test('has every endpoint of the specification in its order, with its category, scope, risk and status', () => {
    const actual = rows.map((row) => ({
      category: row.category.en,
      method: row.method,
      path: row.path,
      scope: row.scope,
      risk: row.risk,
      status: row.status,
      id: row.id,
    }));
    const specified = specRows.map((row) => ({
      ...row,
      risk: RISKS[row.risk as keyof typeof RISKS],
      status: STATUSES[row.status as keyof typeof STATUSES],
    }));
    expect(actual).toEqual(specified);
  });

  test('names every endpoint by method and path, and no method and path twice', () => {
    for (const row of rows) expect(row.id).toBe(`${row.method} ${row.path}`);
    expect(new Set(rows.map((row) => row.id)).size).toBe(185);
  });

  test('has no two paths that differ only in the name of a parameter', () => {
    const shapes = new Map<string, string>();
    for (const { path } of rows) {
      const shape = path.replace(/\{\w+\}/g, '{}');
      expect(shapes.get(shape) ?? path).toBe(path);
      shapes.set(shape, path);
    }
  });

  test('requires a read scope for every GET, and a write scope for everything else', () => {
    for (const row of rows) {
      if (row.scope.endsWith(':read')) expect(row.method, row.id).toBe('GET');
      else expect(row.method, row.id).not.toBe('GET');
    }
  });

  test.each(resources.map((resource) => [resource.category.en, resource] as const))(
    'gives every endpoint of %s a unique English and Turkish name',
    (_, { category, rows: own }) => {
      expect(category.tr.trim()).not.toBe('');
      for (const locale of ['en', 'tr'] as const) {
        const names = own.map((row) => row.name[locale]);
        for (const name of names) expect(name).toMatch(/^\S.*\S$/);
        expect(new Set(names).size).toBe(names.length);
      }
    },
  );

  test('has a body for each of the six live endpoints', () => {
    for (const row of rows.filter(({ status }) => status === 'Aktif')) expect(row.body, row.id).not.toBeNull();
  });
});
