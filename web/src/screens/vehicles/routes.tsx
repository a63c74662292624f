import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';
import { VEHICLE_SEARCH } from './search.ts';

// Imported in one place each, because each import() of a file adds a list of its dependencies to the first script.
const forms = () => import('./form-screens.tsx');
const details = () => import('./detail.tsx');

const vehicles = createRoute({
  getParentRoute: () => shellRoute,
  path: '/araclar',
  validateSearch: searchOf(...VEHICLE_SEARCH),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'VehiclesScreen'),
});

const making = createRoute({
  getParentRoute: () => shellRoute,
  path: '/araclar/yeni',
  component: lazyRouteComponent(forms, 'NewVehicleScreen'),
});

const editing = createRoute({
  getParentRoute: () => shellRoute,
  path: '/araclar/$vehicleId/duzenle',
  component: lazyRouteComponent(forms, 'EditVehicleScreen'),
});

const vehicle = createRoute({
  getParentRoute: () => shellRoute,
  path: '/araclar/$vehicleId',
  component: lazyRouteComponent(details, 'VehicleScreen'),
});

const facts = createRoute({
  getParentRoute: () => vehicle,
  path: '/',
  component: lazyRouteComponent(details, 'VehicleFacts'),
});

const media = createRoute({
  getParentRoute: () => vehicle,
  path: '/fotograflar',
  component: lazyRouteComponent(() => import('../vehicle-media/photos.tsx'), 'VehicleMedia'),
});

const history = createRoute({
  getParentRoute: () => vehicle,
  path: '/gecmis',
  validateSearch: searchOf('event', 'offset'),
  component: lazyRouteComponent(() => import('./history.tsx'), 'VehicleHistory'),
});

export const vehiclesRoutes = [vehicles, making, editing, vehicle.addChildren([facts, media, history])] as const;
