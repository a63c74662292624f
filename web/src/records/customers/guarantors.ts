import { queryOptions } from '@tanstack/react-query';
import type { Guarantor } from '../../../../src/domain/customers/guarantor.ts';
import { callPage } from '../../api.ts';

export type { Guarantor };

export const guarantorsQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['guarantors', customerId],
    queryFn: ({ signal }) =>
      callPage('GET v1/customers/{customer_id}/guarantors', {
        params: { customer_id: customerId },
        query: { limit: 100 },
        signal,
      }),
  });
