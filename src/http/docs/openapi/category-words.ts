// A category's name and note in both languages.
import { categoryNote } from '../../../domain/catalog/category-notes.ts';
import type { Text } from '../../../kit/errors.ts';
import { resources } from '../../../resources/index.ts';

export interface CategoryWords {
  readonly name: Text;
  readonly note: Text;
}

const TURKISH: ReadonlyMap<string, string> = new Map(resources.map(({ category }) => [category.en, category.tr]));

export function categoryWords(category: string): CategoryWords {
  return {
    name: { en: category, tr: TURKISH.get(category) ?? category },
    note: categoryNote(category),
  };
}
