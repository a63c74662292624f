// Paid boosts (doping) for a listing, charged to the wallet when ordered. Only an order that is not active can be cancelled.
import { del, get, post, resource } from '../kit/endpoint.ts';

export const boostOrders = resource('Boost orders', 'Öne çıkarma (doping)', [
  get('boost-orders', 'boost:read', 'read', 'Yakında', ['List boost orders', 'Doping siparişlerini listele']),
  post('boost-orders', 'boost:write', 'write', 'Yakında', ['Order a boost', 'Doping satın al']),
  get('boost-orders/{order_id}', 'boost:read', 'read', 'Yakında', ['Read a boost order', 'Doping siparişini getir']),
  del('boost-orders/{order_id}', 'boost:write', 'destructive', 'Yakında', ['Cancel a boost order', 'Doping siparişini iptal et']),
]);
