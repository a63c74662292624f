import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Skeleton } from '../parts/states.tsx';
import { vehicleQuery } from './vehicles.ts';

/** The vehicle's name as a link; `plain` for forms, which a link would leave. */
export function VehicleName({ id, plain = false }: { readonly id: string; readonly plain?: boolean }) {
  const vehicle = useQuery({ ...vehicleQuery(id), retry: false });
  if (vehicle.isPending) return <Skeleton className="inline-block h-3.5 w-24" />;
  if (vehicle.data === undefined) return <span className="code text-12">{id}</span>;
  const { brand, model, plate } = vehicle.data;
  const name = [brand, model, plate && `(${plate})`].filter(Boolean).join(' ');
  if (plain) return <>{name}</>;
  return (
    <Link to="/araclar/$vehicleId" params={{ vehicleId: id }} className="link">
      {name}
    </Link>
  );
}
