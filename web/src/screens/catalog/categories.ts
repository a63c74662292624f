import { useMemo } from 'react';
import type { Text } from '../../../../src/kit/errors.ts';
import { useCatalog } from '../endpoint-picker/catalog-data.ts';

const NONE: ReadonlyMap<string, Text> = new Map();

/** What a category is called, by the name rows give it; empty while the catalog is on its way. */
export function useCategoryNames(): ReadonlyMap<string, Text> {
  const { view } = useCatalog();
  return useMemo(() => (view ? new Map(view.categories.map(({ id, name }) => [id, name])) : NONE), [view]);
}
