// Money offers between two dealers on a published listing. Kept from every key: threads it is no side of, the other dealer's
// vehicle id and plate, and their phone until an offer is accepted.
import { get, post, resource } from '../kit/endpoint.ts';

export const networkOffers = resource('Dealer-network offers', 'Galeri ağı teklifleri', [
  get('network-offers', 'network-offers:read', 'read', 'Yakında', [
    'List my offers, made and received',
    'Verilen ve alınan teklifleri listele',
  ]),
  post('network-offers', 'network-offers:write', 'write', 'Yakında', [
    "Make an offer on a dealer's vehicle",
    'Başka galerinin aracına teklif ver',
  ]),
  get('network-offers/{offer_id}', 'network-offers:read', 'read', 'Yakında', [
    'Read an offer with its thread',
    'Teklifi pazarlık geçmişiyle getir',
  ]),
  post('network-offers/{offer_id}/accept', 'network-offers:write', 'write', 'Yakında', ['Accept an offer', 'Teklifi kabul et']),
  post('network-offers/{offer_id}/reject', 'network-offers:write', 'write', 'Yakında', ['Reject an offer', 'Teklifi reddet']),
  post('network-offers/{offer_id}/counter', 'network-offers:write', 'write', 'Yakında', [
    'Make a counter-offer',
    'Karşı teklif ver',
  ]),
  post('network-offers/{offer_id}/withdraw', 'network-offers:write', 'write', 'Yakında', [
    'Withdraw my offer',
    'Teklifimi geri çek',
  ]),
  get('vehicles/{vehicle_id}/network-offers', 'network-offers:read', 'read', 'Yakında', [
    'List offers on my vehicle',
    'Araca gelen teklifleri listele',
  ]),
  get('network-offers/received', 'network-offers:read', 'read', 'Yakında', ['List offers received', 'Gelen teklifleri listele']),
]);
