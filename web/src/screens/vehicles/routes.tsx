import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';
import { VEHICLE_SEARCH } from './search.ts';

const vehicles = createRoute({
  getParentRoute: () => shellRoute,
  path: '/araclar',
  validateSearch: searchOf(...VEHICLE_SEARCH),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'VehiclesScreen'),
});

const vehicle = createRoute({
  getParentRoute: () => shellRoute,
  path: '/araclar/$vehicleId',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'VehicleScreen'),
});

export const vehiclesRoutes = [vehicles, vehicle] as const;
