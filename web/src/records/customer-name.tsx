import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiError } from '../api.ts';
import { useTexts } from '../language.ts';
import { Skeleton } from '../parts/states.tsx';
import { customerTexts } from './customer-texts.ts';
import { customerQuery, fullName } from './customers.ts';

/** A word for what was deleted; where it could not be read, at least its id. */
function GoneName({ error, gone, id }: { readonly error: unknown; readonly gone: string; readonly id: string }) {
  if (error instanceof ApiError && error.status === 404) return <span className="text-text-2">{gone}</span>;
  return <span className="code text-12">{id}</span>;
}

/** The name while the customer is there; a deleted one has none any more. */
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
