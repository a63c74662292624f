import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const listings = createRoute({
  getParentRoute: () => shellRoute,
  path: '/pazar',
  validateSearch: searchOf('status', 'offers', 'offset'),
  component: lazyScreen(() => import('./screen.tsx'), 'MarketplaceScreen'),
});

const listing = createRoute({
  getParentRoute: () => shellRoute,
  path: '/pazar/$listingId',
  component: lazyScreen(() => import('./listing.tsx'), 'ListingScreen'),
});

const offer = createRoute({
  getParentRoute: () => shellRoute,
  path: '/pazar/teklif/$offerId',
  component: lazyScreen(() => import('./offer-link.tsx'), 'OfferLink'),
});

export const marketplaceRoutes = [listings, listing, offer] as const;
