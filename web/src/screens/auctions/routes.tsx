import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';

const frame = createRoute({
  getParentRoute: () => shellRoute,
  path: '/muzayede',
  component: lazyScreen(() => import('./frame.tsx'), 'AuctionsFrame'),
});

const events = createRoute({
  getParentRoute: () => frame,
  path: '/',
  validateSearch: searchOf('offset'),
  component: lazyScreen(() => import('./events.tsx'), 'EventsScreen'),
});

const network = createRoute({
  getParentRoute: () => frame,
  path: '/ag',
  validateSearch: searchOf('goster', 'brand', 'offset'),
  component: lazyScreen(() => import('./network.tsx'), 'NetworkAuctionsScreen'),
});

const requests = createRoute({
  getParentRoute: () => frame,
  path: '/talepler',
  validateSearch: searchOf('durum', 'offset'),
  component: lazyScreen(() => import('./requests.tsx'), 'AuctionRequestsScreen'),
});

const auction = createRoute({
  getParentRoute: () => shellRoute,
  path: '/muzayede/ag/$auctionId',
  component: lazyScreen(() => import('./auction.tsx'), 'AuctionScreen'),
});

const lot = createRoute({
  getParentRoute: () => shellRoute,
  path: '/muzayede/lot/$lotId',
  component: lazyScreen(() => import('./lot.tsx'), 'LotScreen'),
});

const room = createRoute({
  getParentRoute: () => shellRoute,
  path: '/muzayede/canli/$eventId',
  component: lazyScreen(() => import('./room.tsx'), 'RoomScreen'),
});

export const auctionsRoutes = [frame.addChildren([events, network, requests]), auction, lot, room] as const;
