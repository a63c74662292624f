// Queries of a customer that several screens use, and what is invalidated after a change of customers.
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Customer, CustomerDetail } from '../../../src/resources/customers.ts';
import { call, callTagged } from '../api.ts';

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

export const fullName = ({ first_name, last_name }: { readonly first_name: string; readonly last_name: string }): string =>
  `${first_name} ${last_name}`;
