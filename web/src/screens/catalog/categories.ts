import { useMemo } from 'react';
import type { Text } from '../../../../src/kit/errors.ts';
import { useCatalog } from '../endpoint-picker/catalog-data.ts';

const NONE: ReadonlyMap<string, Text> = new Map();

/** Category id → name; empty while the catalog is loading. */
export function useCategoryNames(): ReadonlyMap<string, Text> {
  const { view } = useCatalog();
  return useMemo(() => (view ? new Map(view.categories.map(({ id, name }) => [id, name])) : NONE), [view]);
}
