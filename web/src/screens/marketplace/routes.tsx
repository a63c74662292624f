import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const listings = createRoute({
  getParentRoute: () => shellRoute,
  path: '/pazar',
  validateSearch: searchOf('status', 'offset'),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'MarketplaceScreen'),
});

const listing = createRoute({
  getParentRoute: () => shellRoute,
  path: '/pazar/$listingId',
  component: lazyRouteComponent(() => import('./listing.tsx'), 'ListingScreen'),
});

export const marketplaceRoutes = [listings, listing] as const;
