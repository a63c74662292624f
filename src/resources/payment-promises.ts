// A customer's promise to pay a sum by a day. Whether it was kept is computed from collections, never set by hand.
import { get, patch, post, resource } from '../kit/endpoint.ts';

export const paymentPromises = resource('Payment promises', 'Ödeme sözleri', [
  get('payment-promises', 'payment-promises:read', 'read', 'Yakında', ['List payment promises', 'Ödeme sözlerini listele']),
  post('payment-promises', 'payment-promises:write', 'write', 'Yakında', ['Record a payment promise', 'Ödeme sözü kaydet']),
  get('payment-promises/{promise_id}', 'payment-promises:read', 'read', 'Yakında', [
    'Read a payment promise',
    'Ödeme sözünü getir',
  ]),
  patch('payment-promises/{promise_id}', 'payment-promises:write', 'write', 'Yakında', [
    'Change or call off an open promise',
    'Bekleyen sözü değiştir veya iptal et',
  ]),
]);
