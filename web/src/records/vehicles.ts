// A vehicle as other screens ask for it too.
import { queryOptions } from '@tanstack/react-query';
import type { Vehicle, VehicleDetail } from '../../../src/domain/stock/vehicle-view.ts';
import { get } from '../api.ts';

export type { Vehicle, VehicleDetail };

export const vehiclePath = (id: string): string => `v1/vehicles/${encodeURIComponent(id)}`;

export const vehicleQuery = (id: string) =>
  queryOptions({
    queryKey: ['vehicle', id],
    queryFn: ({ signal }) => get<VehicleDetail>(vehiclePath(id), undefined, signal),
  });
