// Queries of documents that several screens use, and how a file is shown.
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Document } from '../../../../src/domain/documents/document.ts';
import type { SaleName } from '../../../../src/domain/sales/sale-list.ts';
import { call, callPage, type Page } from '../../api.ts';
import type { QueryOf } from '../../endpoints.ts';
import { canPreview, openPaper } from './paper-store.ts';

export type { Document };

/** A document of a list, with what its sale is called. */
export type ListedDocument = Document & { readonly named: SaleName | undefined };

export async function listDocuments(query: QueryOf<'GET v1/documents'>, signal: AbortSignal): Promise<Page<ListedDocument>> {
  return named(await callPage('GET v1/documents', { query, signal }), signal);
}

/** Those that wait for a signature. */
export const listWaiting = async (query: QueryOf<'GET documents/waiting'>, signal: AbortSignal): Promise<Page<ListedDocument>> =>
  named(await callPage('GET documents/waiting', { query, signal }), signal);

async function named(page: Page<Document>, signal: AbortSignal): Promise<Page<ListedDocument>> {
  const ids = [...new Set(page.items.flatMap(({ sale_id }) => sale_id ?? []))].join(',');
  const found = ids === '' ? [] : await call('GET sales/names', { query: { ids }, signal });
  const names = new Map(found.map((name) => [name.id, name]));
  return { ...page, items: page.items.map((one) => ({ ...one, named: names.get(one.sale_id ?? '') })) };
}

/** Links are valid for 15 minutes, so a list is read again before they expire. */
export const FRESH_LINKS = { staleTime: 60_000, refetchInterval: 10 * 60_000 } as const;

export const saleDocumentsQuery = (saleId: string) =>
  queryOptions({
    queryKey: ['documents', 'of-sale', saleId],
    queryFn: ({ signal }) =>
      callPage('GET v1/sales/{sale_id}/documents', { params: { sale_id: saleId }, query: { limit: 100 }, signal }),
    ...FRESH_LINKS,
  });

export const templatesQuery = queryOptions({
  queryKey: ['document-templates'],
  queryFn: ({ signal }) => callPage('GET v1/document-templates', { query: { limit: 100 }, signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export function useDocumentsChanged(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => Promise.all(['documents', 'sale'].map((name) => client.invalidateQueries({ queryKey: [name] })));
}

/** Shown over the screen where the browser can, else in a tab of its own. */
export function openDocument({ title, file }: Pick<Document, 'title' | 'file'>, message?: string): void {
  const url = file?.url;
  if (!url) return;
  if (canPreview()) openPaper({ title, ...(message ? { message } : {}), forms: [{ href: url, isLink: true }] });
  else void showFile(url);
}

const KEPT_MS = 60_000;

/**
 * Shown in a tab of its own. The file itself is only given to be saved, so that no document is a page of this site: it is read here, and
 * the browser's viewer shows it. The tab is opened before the answer, because later the browser would take it for an advertisement.
 */
export async function showFile(of: string | (() => Promise<string | null>)): Promise<void> {
  const tab = window.open('', '_blank');
  let url = '';
  try {
    url = (typeof of === 'string' ? of : await of()) ?? '';
    const response = await fetch(url, { credentials: 'omit' });
    if (!response.ok) throw new Error(String(response.status));
    const address = URL.createObjectURL(await response.blob());
    if (tab === null) location.assign(url);
    else tab.location.replace(address);
    setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
  } catch {
    tab?.close();
    // What cannot be shown is saved, or says itself why not.
    if (url !== '') location.assign(url);
  }
}
