import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const frame = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ag',
  component: lazyRouteComponent(() => import('./frame.tsx'), 'NetworkFrame'),
});

const cars = createRoute({
  getParentRoute: () => frame,
  path: '/',
  // The API's own parameter names.
  validateSearch: searchOf('brand', 'model', 'city', 'currency', 'price_min', 'price_max', 'offset'),
  component: lazyRouteComponent(() => import('./cars.tsx'), 'NetworkCarsScreen'),
});

const offers = createRoute({
  getParentRoute: () => frame,
  path: '/teklifler',
  validateSearch: searchOf('goster', 'listing_id', 'offset'),
  component: lazyRouteComponent(() => import('./offers.tsx'), 'OffersScreen'),
});

const trades = createRoute({
  getParentRoute: () => frame,
  path: '/takas',
  validateSearch: searchOf('goster', 'offset'),
  component: lazyRouteComponent(() => import('./trades.tsx'), 'TradesScreen'),
});

const offer = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ag/teklifler/$offerId',
  component: lazyRouteComponent(() => import('./offer.tsx'), 'OfferScreen'),
});

const trade = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ag/takas/$requestId',
  component: lazyRouteComponent(() => import('./trade.tsx'), 'TradeScreen'),
});

export const networkRoutes = [frame.addChildren([cars, offers, trades]), offer, trade] as const;
