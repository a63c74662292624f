// Auctions among dealers of the network. Kept from every key: the bidders' names (aliases only; seller and winner learn each
// other's at the end) and, for all but the seller, the reserve price. Placing a bid needs a specially authorized key.
import { get, post, resource } from '../kit/endpoint.ts';

export const networkAuctions = resource('Dealer-network auctions', 'Galeri ağı ihaleleri', [
  get('network-auctions', 'network-auctions:read', 'read', 'Yakında', ['List network auctions', 'Ağdaki ihaleleri listele']),
  get('network-auctions/{auction_id}', 'network-auctions:read', 'read', 'Yakında', ['Read an auction', 'İhaleyi getir']),
  get('network-auctions/{auction_id}/bids', 'network-auctions:read', 'read', 'Yakında', [
    "List an auction's bids",
    'İhaledeki teklifleri listele',
  ]),
  post('network-auctions/{auction_id}/bid', 'network-auctions:write', 'sensitive', 'Yakında', [
    'Bid in an auction',
    'İhalede teklif ver',
  ]),
  post('network-auctions', 'network-auctions:write', 'write', 'Yakında', ['Put a vehicle up for auction', 'Aracı ihaleye çıkar']),
  post('network-auctions/{auction_id}/end', 'network-auctions:write', 'sensitive', 'Yakında', [
    'End my auction early',
    'İhaleyi erken bitir',
  ]),
  get('network-auctions/{auction_id}/winner', 'network-auctions:read', 'read', 'Yakında', [
    "Read an auction's result",
    'İhalenin sonucunu getir',
  ]),
  get('vehicles/{vehicle_id}/network-auction', 'network-auctions:read', 'read', 'Yakında', [
    "Read my vehicle's auction",
    'Aracın ihalesini getir',
  ]),
]);
