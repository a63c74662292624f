// The dealer's own cars in lists of other records: a thumbnail beside what the line says.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CarPicture } from '../../../../src/panel/stock/stock.ts';
import { call } from '../../api.ts';
import { CarThumb } from './car-thumb.tsx';

export type CarPictures = ReadonlyMap<string, CarPicture>;

/** Asked for once for the page, beside it; a list does not wait for them. */
export function useCarPictures(vehicleIds: readonly string[]): CarPictures {
  const ids = [...new Set(vehicleIds)].toSorted().join(',');
  const found = useQuery({
    queryKey: ['vehicle-pictures', ids],
    queryFn: ({ signal }) => call('GET vehicles/pictures', { query: { ids }, signal }),
    enabled: ids !== '',
  });
  return new Map(found.data?.map((car) => [car.id, car]));
}

interface BesidePictureProps {
  /** Undefined until it is read: its place is kept. */
  readonly car: CarPicture | undefined;
  readonly children: ReactNode;
}

export function BesidePicture({ car, children }: BesidePictureProps) {
  const place = 'h-16 w-24 shrink-0 rounded-badge';
  return (
    <span className="flex w-full items-center gap-3">
      {car ? <CarThumb car={car} className={place} /> : <span className={`${place} bg-subtle`} />}
      <span className="min-w-0">{children}</span>
    </span>
  );
}
