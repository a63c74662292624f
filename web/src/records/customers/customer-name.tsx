import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiError } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Skeleton } from '../../parts/page/states.tsx';
import { customerTexts } from './customer-texts.ts';
import { customerQuery, fullName } from './customers.ts';

/** The customer's name. A deleted customer has none to show. */
export function CustomerName({ id }: { readonly id: string }) {
  const t = useTexts(customerTexts);
  const customer = useQuery({ ...customerQuery(id), retry: false });
  if (customer.isPending) return <Skeleton className="inline-block h-3.5 w-24" />;
  if (customer.data === undefined) {
    const isGone = customer.error instanceof ApiError && customer.error.status === 404;
    return <span className="text-text-2">{isGone ? t.gone : t.notShown}</span>;
  }
  return (
    <Link to="/musteriler/$customerId" params={{ customerId: id }} className="link">
      {fullName(customer.data)}
    </Link>
  );
}
