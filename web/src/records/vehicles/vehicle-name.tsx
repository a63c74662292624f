import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../language.ts';
import { Skeleton } from '../../parts/page/states.tsx';
import { vehicleTexts } from './vehicle-texts.ts';
import { vehicleQuery } from './vehicles.ts';

/** The vehicle's name as a link; `plain` for forms, which a link would leave. */
export function VehicleName({ id, plain = false }: { readonly id: string; readonly plain?: boolean }) {
  const t = useTexts(vehicleTexts);
  const vehicle = useQuery({ ...vehicleQuery(id), retry: false });
  if (vehicle.isPending) return <Skeleton className="inline-block h-3.5 w-24" />;
  if (vehicle.data === undefined) return <span className="text-text-2">{t.gone}</span>;
  const { brand, model, plate } = vehicle.data;
  const name = [brand, model, plate && `(${plate})`].filter(Boolean).join(' ');
  if (plain) return <>{name}</>;
  return (
    <Link to="/araclar/$vehicleId" params={{ vehicleId: id }} className="link">
      {name}
    </Link>
  );
}
