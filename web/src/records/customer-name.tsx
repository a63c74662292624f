import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiError } from '../api.ts';
import { useTexts } from '../language.ts';
import { Skeleton } from '../parts/states.tsx';
import { customerTexts } from './customer-texts.ts';
import { customerQuery, fullName } from './customers.ts';

/** Says that the record was deleted; after another error shows its id. */
function GoneName({ error, gone, id }: { readonly error: unknown; readonly gone: string; readonly id: string }) {
  if (error instanceof ApiError && error.status === 404) return <span className="text-text-2">{gone}</span>;
  return <span className="code text-12">{id}</span>;
}

/** The customer's name. A deleted customer has none to show. */
export function CustomerName({ id }: { readonly id: string }) {
  const t = useTexts(customerTexts);
  const customer = useQuery({ ...customerQuery(id), retry: false });
  if (customer.isPending) return <Skeleton className="inline-block h-3.5 w-24" />;
  if (customer.data === undefined) return <GoneName error={customer.error} gone={t.gone} id={id} />;
  return (
    <Link to="/musteriler/$customerId" params={{ customerId: id }} className="link">
      {fullName(customer.data)}
    </Link>
  );
}
