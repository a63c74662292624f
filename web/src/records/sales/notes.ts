// Queries of promissory notes that several screens use.
import { queryOptions } from '@tanstack/react-query';
import type { PromissoryNote } from '../../../../src/domain/sales/note.ts';
import type { SaleName } from '../../../../src/domain/sales/sale-list.ts';
import { addressOf, call, callPage, type Page } from '../../api.ts';
import type { QueryOf } from '../../endpoints.ts';

export type { PromissoryNote };

/** A note of a list, with what its sale is called. */
export type ListedNote = PromissoryNote & { readonly named: SaleName | undefined };

/** More are neither printed nor moved at once. */
export const MAX_NOTES = 100;

type NotesQuery = Omit<QueryOf<'GET v1/promissory-notes'>, 'cursor'>;

export async function listNotes(
  query: NotesQuery,
  signal: AbortSignal,
  which: 'all' | 'open' = 'all',
): Promise<Page<ListedNote>> {
  const page =
    which === 'all'
      ? await callPage('GET v1/promissory-notes', { query, signal })
      : await callPage('GET promissory-notes/open', { query, signal });
  const ids = [...new Set(page.items.map(({ sale_id }) => sale_id))].join(',');
  const found = ids === '' ? [] : await call('GET sales/names', { query: { ids }, signal });
  const names = new Map(found.map((name) => [name.id, name]));
  return { ...page, items: page.items.map((note) => ({ ...note, named: names.get(note.sale_id) })) };
}

export const noteQuery = (id: string) =>
  queryOptions({
    queryKey: ['note', id],
    queryFn: ({ signal }) => call('GET v1/promissory-notes/{note_id}', { params: { note_id: id }, signal }),
  });

export const saleNotesQuery = (saleId: string) =>
  queryOptions({
    queryKey: ['notes', 'of-sale', saleId],
    queryFn: ({ signal }) => listNotes({ sale_id: saleId, limit: MAX_NOTES }, signal),
  });

const idsOf = (notes: readonly { readonly id: string }[]): string => notes.map(({ id }) => id).join(',');

/** Three to a sheet. */
export const printAddress = (notes: readonly { readonly id: string }[]): string =>
  addressOf('GET promissory-notes/print.pdf', { query: { ids: idsOf(notes) } });

export const slipAddress = (
  notes: readonly { readonly id: string }[],
  query: { readonly handed_to?: string | undefined; readonly purpose?: string | undefined },
): string => addressOf('GET promissory-notes/slip.pdf', { query: { ids: idsOf(notes), ...query } });
