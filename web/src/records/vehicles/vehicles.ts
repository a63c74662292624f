// Queries of a vehicle that several screens use.
import { queryOptions } from '@tanstack/react-query';
import type { Vehicle, VehicleDetail } from '../../../../src/domain/stock/vehicle-view.ts';
import { call, callTagged } from '../../api.ts';

export type { Vehicle, VehicleDetail };

/** With the ETag, for editing. */
export const readVehicle = (id: string, signal?: AbortSignal) =>
  callTagged('GET v1/vehicles/{vehicle_id}', { params: { vehicle_id: id }, signal });

export const vehicleQuery = (id: string) =>
  queryOptions({
    queryKey: ['vehicle', id],
    queryFn: ({ signal }) => call('GET v1/vehicles/{vehicle_id}', { params: { vehicle_id: id }, signal }),
  });
