import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { customerNameQuery } from './data.ts';

/** The name while the customer is there; a deleted one has none any more. */
export function CustomerName({ id }: { readonly id: string }) {
  const customer = useQuery({ ...customerNameQuery(id), retry: false });
  if (customer.data === undefined) return <span className="code text-12">{id}</span>;
  return (
    <Link to="/musteriler/$customerId" params={{ customerId: id }} className="link">
      {customer.data.first_name} {customer.data.last_name}
    </Link>
  );
}
