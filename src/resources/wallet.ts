// The dealer's prepaid balance with the platform, never customers' money. A top-up is approved by a platform administrator.
import { get, post, resource } from '../kit/endpoint.ts';

export const wallet = resource('Wallet', 'Cüzdan', [
  get('wallet', 'wallet:read', 'read', 'Yakında', ['Read the wallet balance', 'Cüzdan bakiyesini getir']),
  get('wallet/transactions', 'wallet:read', 'read', 'Yakında', ['List wallet transactions', 'Cüzdan hareketlerini listele']),
  get('wallet/transactions/{transaction_id}', 'wallet:read', 'read', 'Yakında', [
    'Read a wallet transaction',
    'Cüzdan hareketini getir',
  ]),
  post('wallet/topup-requests', 'wallet:write', 'sensitive', 'Yakında', ['Request a top-up', 'Bakiye yükleme talebi aç']),
  get('wallet/topup-requests/{request_id}', 'wallet:read', 'read', 'Yakında', [
    'Read a top-up request',
    'Bakiye yükleme talebini getir',
  ]),
]);
