// Proposals to swap vehicles between two dealers, with a cash difference. Kept from every key: requests it is no side of, the
// other dealer's vehicle id and plate, and their phone until the swap is accepted.
import { del, get, post, resource } from '../kit/endpoint.ts';

export const tradeRequests = resource('Trade requests', 'Takas talepleri', [
  get('trade-requests', 'trade-requests:read', 'read', 'Yakında', ['List trade requests', 'Takas taleplerini listele']),
  post('trade-requests', 'trade-requests:write', 'write', 'Yakında', ['Propose a trade', 'Takas teklif et']),
  get('trade-requests/{request_id}', 'trade-requests:read', 'read', 'Yakında', ['Read a trade request', 'Takas talebini getir']),
  post('trade-requests/{request_id}/accept', 'trade-requests:write', 'write', 'Yakında', [
    'Accept a trade request',
    'Takas talebini kabul et',
  ]),
  post('trade-requests/{request_id}/reject', 'trade-requests:write', 'write', 'Yakında', [
    'Reject a trade request',
    'Takas talebini reddet',
  ]),
  del('trade-requests/{request_id}', 'trade-requests:write', 'destructive', 'Yakında', [
    'Withdraw my trade request',
    'Takas talebimi geri çek',
  ]),
]);
