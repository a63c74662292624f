// Auction events run by the platform, lot by lot. Kept from every key: the bidders' names (aliases only; seller and winner learn
// each other's at the end) and, for all but seller and operator, the reserve price. Start, bid and end need a specially
// authorized key.
import { get, post, resource } from '../kit/endpoint.ts';

export const liveAuctions = resource('Live auctions', 'Canlı müzayedeler', [
  get('live-auctions', 'live-auctions:read', 'read', 'Yakında', ['List live auctions', 'Canlı müzayedeleri listele']),
  get('live-auctions/{event_id}', 'live-auctions:read', 'read', 'Yakında', ['Read a live auction', 'Canlı müzayedeyi getir']),
  get('live-auctions/{event_id}/lots', 'live-auctions:read', 'read', 'Yakında', [
    "List a live auction's lots",
    'Müzayedenin lotlarını listele',
  ]),
  get('live-auctions/lots/{lot_id}', 'live-auctions:read', 'read', 'Yakında', [
    'Read a lot with its last bids',
    'Lotu son peyleriyle getir',
  ]),
  post('live-auctions/lots/{lot_id}/start', 'live-auctions:write', 'sensitive', 'Yakında', ['Open a lot', 'Lotu aç']),
  post('live-auctions/lots/{lot_id}/bid', 'live-auctions:write', 'sensitive', 'Yakında', ['Bid on a lot', 'Lota pey sür']),
  post('live-auctions/lots/{lot_id}/end', 'live-auctions:write', 'sensitive', 'Yakında', ['Close a lot', 'Lotu kapat']),
]);
