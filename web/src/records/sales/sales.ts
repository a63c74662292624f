// Queries of a sale that several screens use, and what is invalidated after money or terms have changed.
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Collection } from '../../../../src/domain/sales/collection.ts';
import type { Installment } from '../../../../src/domain/sales/installment.ts';
import type { PlanWithInstallments } from '../../../../src/domain/sales/plan.ts';
import type { PaymentPromise } from '../../../../src/domain/sales/promise.ts';
import type { SaleName } from '../../../../src/domain/sales/sale-list.ts';
import type { Sale, SaleDetail } from '../../../../src/domain/sales/sale-view.ts';
import { dayIn } from '../../../../src/kit/clock.ts';
import { call, callPage, type Page } from '../../api.ts';
import { businessNow } from '../../clock.ts';
import type { QueryOf } from '../../endpoints.ts';
import { useMay } from '../../permissions.ts';
import { useFormat, useSession } from '../../session.ts';

export type { Collection, Installment, PaymentPromise, PlanWithInstallments, Sale, SaleDetail };

export const saleQuery = (id: string) =>
  queryOptions({
    queryKey: ['sale', id],
    queryFn: ({ signal }) => call('GET v1/sales/{sale_id}', { params: { sale_id: id }, signal }),
  });

export const planQuery = (saleId: string) =>
  queryOptions({
    queryKey: ['sale-plan', saleId],
    queryFn: ({ signal }) => call('GET v1/sales/{sale_id}/installment-plan', { params: { sale_id: saleId }, signal }),
  });

export const saleCollectionsQuery = (saleId: string, offset: number) =>
  queryOptions({
    queryKey: ['sale-collections', saleId, offset],
    queryFn: ({ signal }) =>
      callPage('GET v1/sales/{sale_id}/collections', { params: { sale_id: saleId }, query: { limit: 100, offset }, signal }),
    placeholderData: keepPreviousData,
  });

export const promisesQuery = (of: { readonly sale_id?: string; readonly customer_id?: string }) =>
  queryOptions({
    queryKey: ['promises', of],
    queryFn: ({ signal }) => callPage('GET v1/payment-promises', { query: { ...of, limit: 100 }, signal }),
  });

/** A sale of a list, with the names of its customer and car. */
export type ListedSale = Sale & { readonly named: SaleName | undefined };

/** The API's list has ids only, so the names are asked for beside it, once for the page. */
export async function listSales(query: QueryOf<'GET v1/sales'>, signal: AbortSignal): Promise<Page<ListedSale>> {
  const page = await callPage('GET v1/sales', { query, signal });
  const ids = page.items.map(({ id }) => id).join(',');
  const found = ids === '' ? [] : await call('GET sales/names', { query: { ids }, signal });
  const names = new Map(found.map((name) => [name.id, name]));
  return { ...page, items: page.items.map((sale) => ({ ...sale, named: names.get(sale.id) })) };
}

const STALE = [
  ...[
    'sale',
    'sale-plan',
    'sale-reminders',
    'sale-collections',
    'sales',
    'sale-counts',
    'promises',
    'receivables',
    'collections',
    'notes',
    'note',
    'note-counts',
  ],
  'customer',
  'customer-activity',
  'customer-money',
  'vehicle',
  'vehicles',
  'vehicle-counts',
  'vehicle-history',
  'till',
] as const;

/** Call after any act on a sale: money touches the sale, its customer and the boards alike. */
export function useSalesChanged(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => Promise.all(STALE.map((name) => client.invalidateQueries({ queryKey: [name] })));
}

/** Whether the person may take money for a sale: a salesperson only for their own. */
export function useMayCollect(): (sale: { readonly salesperson_id: string | null } | undefined) => boolean {
  const may = useMay('collections:write');
  const { account } = useSession();
  return (sale) => may && (account?.role !== 'sales' || (sale !== undefined && sale.salesperson_id === account.member_id));
}

/** The account's day, as the server counts it. */
export function useToday(): string {
  const { zone } = useFormat();
  return dayIn(businessNow(), zone);
}
