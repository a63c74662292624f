import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const frame = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ag',
  component: lazyScreen(() => import('./frame.tsx'), 'NetworkFrame'),
});

const cars = createRoute({
  getParentRoute: () => frame,
  path: '/',
  // The row's own parameter names.
  validateSearch: searchOf('q', 'currency', 'price_min', 'price_max', 'year_min', 'km_max', 'sort', 'offset', 'ilan'),
  component: lazyScreen(() => import('./cars.tsx'), 'NetworkCarsScreen'),
});

const offers = createRoute({
  getParentRoute: () => frame,
  path: '/teklifler',
  validateSearch: searchOf('goster', 'listing_id', 'offset'),
  component: lazyScreen(() => import('./offers.tsx'), 'OffersScreen'),
});

const trades = createRoute({
  getParentRoute: () => frame,
  path: '/takas',
  validateSearch: searchOf('goster', 'offset'),
  component: lazyScreen(() => import('./trades.tsx'), 'TradesScreen'),
});

const offer = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ag/teklifler/$offerId',
  component: lazyScreen(() => import('./offer.tsx'), 'OfferScreen'),
});

const trade = createRoute({
  getParentRoute: () => shellRoute,
  path: '/ag/takas/$requestId',
  component: lazyScreen(() => import('./trade.tsx'), 'TradeScreen'),
});

export const networkRoutes = [frame.addChildren([cars, offers, trades]), offer, trade] as const;
