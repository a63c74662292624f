import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
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
  component: lazyScreen(() => import('./screen.tsx'), 'VehiclesScreen'),
});

const making = createRoute({
  getParentRoute: () => shellRoute,
  path: '/araclar/yeni',
  component: lazyScreen(forms, 'NewVehicleScreen'),
});

const editing = createRoute({
  getParentRoute: () => shellRoute,
  path: '/araclar/$vehicleId/duzenle',
  component: lazyScreen(forms, 'EditVehicleScreen'),
});

const vehicle = createRoute({
  getParentRoute: () => shellRoute,
  path: '/araclar/$vehicleId',
  component: lazyScreen(details, 'VehicleScreen'),
});

const facts = createRoute({
  getParentRoute: () => vehicle,
  path: '/',
  component: lazyScreen(details, 'VehicleFacts'),
});

const media = createRoute({
  getParentRoute: () => vehicle,
  path: '/fotograflar',
  component: lazyScreen(() => import('../vehicle-media/photos.tsx'), 'VehicleMedia'),
});

const history = createRoute({
  getParentRoute: () => vehicle,
  path: '/gecmis',
  validateSearch: searchOf('event', 'offset'),
  component: lazyScreen(() => import('./history.tsx'), 'VehicleHistory'),
});

export const vehiclesRoutes = [vehicles, making, editing, vehicle.addChildren([facts, media, history])] as const;
