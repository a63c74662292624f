// The dealer's requests that the platform sell a vehicle in a live auction. The platform decides.
import { del, get, patch, post, resource } from '../kit/endpoint.ts';

export const auctionRequests = resource('Auction requests', 'Müzayede talepleri', [
  get('auction-requests', 'auction-requests:read', 'read', 'Yakında', ['List auction requests', 'Müzayede taleplerini listele']),
  post('auction-requests', 'auction-requests:write', 'write', 'Yakında', [
    'Request a live auction for a vehicle',
    'Araç için müzayede talep et',
  ]),
  get('auction-requests/{request_id}', 'auction-requests:read', 'read', 'Yakında', [
    'Read an auction request',
    'Müzayede talebini getir',
  ]),
  patch('auction-requests/{request_id}', 'auction-requests:write', 'write', 'Yakında', [
    'Change a pending auction request',
    'Bekleyen müzayede talebini değiştir',
  ]),
  del('auction-requests/{request_id}', 'auction-requests:write', 'destructive', 'Yakında', [
    'Withdraw a pending auction request',
    'Bekleyen müzayede talebini geri çek',
  ]),
]);
