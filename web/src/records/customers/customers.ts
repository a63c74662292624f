// Queries of a customer that several screens use, and what is invalidated after a change of customers.
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Customer, CustomerDetail } from '../../../../src/resources/customers.ts';
import { call, callPage, callTagged, type Page } from '../../api.ts';

export type { Customer, CustomerDetail };

/** With the ETag, for editing. */
export const readCustomer = (id: string, signal?: AbortSignal) =>
  callTagged('GET v1/customers/{customer_id}', { params: { customer_id: id }, signal });

export const customerQuery = (id: string) =>
  queryOptions({
    queryKey: ['customer', id],
    queryFn: ({ signal }) => call('GET v1/customers/{customer_id}', { params: { customer_id: id }, signal }),
  });

/** Call after any change of customers: invalidates lists and counts; the changed customer is taken from the reply. */
export function useCustomersChanged(): (now?: CustomerDetail) => Promise<unknown> {
  const client = useQueryClient();
  return (now) => {
    if (now && now.deleted_at === null) client.setQueryData(customerQuery(now.id).queryKey, now);
    return Promise.all(
      ['customers', 'customer-counts', 'customer-activity'].map((name) => client.invalidateQueries({ queryKey: [name] })),
    );
  };
}

interface Named {
  readonly first_name: string;
  readonly last_name: string;
  readonly kind?: CustomerDetail['kind'];
  readonly company_name?: string | null;
}

/** What a customer is called: a company by its own name, a person by theirs. */
export const fullName = (named: Named): string =>
  named.kind !== 'Bireysel' && named.company_name ? named.company_name : personName(named);

/** The person, also where they are a company's contact. */
export const personName = ({ first_name, last_name }: Named): string => `${first_name} ${last_name}`;

/** A customer of a list, with the name of the company that they are. */
export type ListedCustomer = Customer & { readonly company_name: string | null };

/** The API's list says nothing of companies, so their names are asked for beside it. */
export async function listCustomers(
  query: { readonly q?: string; readonly risk_level?: string; readonly limit?: string | number; readonly offset?: string },
  signal: AbortSignal | undefined,
): Promise<Page<ListedCustomer>> {
  const page = await callPage('GET v1/customers', { query, signal });
  const ids = page.items.map(({ id }) => id).join(',');
  const companies = ids === '' ? [] : await call('GET customers/companies', { query: { ids }, signal });
  const names = new Map(companies.map(({ id, company_name }) => [id, company_name]));
  return { ...page, items: page.items.map((customer) => ({ ...customer, company_name: names.get(customer.id) ?? null })) };
}
