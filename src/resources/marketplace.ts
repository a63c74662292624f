// Listings on the public consumer site and consumers' offers on them. Another dealer's listing is seen only as its public card:
// no plate, vehicle id or statistics.
import { del, get, post, resource } from '../kit/endpoint.ts';

export const marketplace = resource('Marketplace', 'Pazar yeri', [
  get('marketplace/listings', 'marketplace:read', 'read', 'Yakında', ['List marketplace listings', 'İlanları listele']),
  get('marketplace/listings/{listing_id}', 'marketplace:read', 'read', 'Yakında', ['Read a listing', 'İlanı getir']),
  post('marketplace/listings', 'marketplace:write', 'write', 'Yakında', ['Publish a listing', 'İlan yayınla']),
  del('marketplace/listings/{listing_id}', 'marketplace:write', 'destructive', 'Yakında', [
    'Take a listing down',
    'İlanı yayından kaldır',
  ]),
  get('marketplace/listings/{listing_id}/offers', 'marketplace:read', 'read', 'Yakında', [
    'List offers on a listing',
    'İlana gelen teklifleri listele',
  ]),
  post('marketplace/listings/{listing_id}/offers/{offer_id}/accept', 'marketplace:write', 'write', 'Yakında', [
    "Accept a consumer's offer",
    'Alıcının teklifini kabul et',
  ]),
  post('marketplace/listings/{listing_id}/offers/{offer_id}/reject', 'marketplace:write', 'write', 'Yakında', [
    "Reject a consumer's offer",
    'Alıcının teklifini reddet',
  ]),
  get('marketplace/stats', 'marketplace:read', 'read', 'Yakında', ['Read listing statistics', 'İlan istatistiklerini getir']),
]);
