// The dealer's customers and the log of contact with them. Kept from every key: identity number, address, monthly income, birth
// date.
import { del, get, patch, post, resource } from '../kit/endpoint.ts';

export const customers = resource('Customers', 'Müşteriler', [
  get('customers', 'customers:read', 'read', 'Aktif', ['List customers', 'Müşterileri listele']),
  post('customers', 'customers:write', 'write', 'Yakında', ['Add a customer', 'Müşteri ekle']),
  get('customers/{customer_id}', 'customers:read', 'read', 'Yakında', [
    'Read a customer with balances',
    'Müşteriyi bakiyeleriyle getir',
  ]),
  patch('customers/{customer_id}', 'customers:write', 'write', 'Yakında', ['Edit a customer', 'Müşteriyi düzenle']),
  del('customers/{customer_id}', 'customers:write', 'destructive', 'Yakında', ['Delete a customer', 'Müşteriyi sil']),
  get('customers/{customer_id}/sales', 'customers:read', 'read', 'Yakında', [
    "List a customer's sales",
    'Müşterinin satışlarını listele',
  ]),
  get('customers/{customer_id}/collections', 'collections:read', 'read', 'Yakında', [
    "List a customer's collections",
    'Müşterinin tahsilatlarını listele',
  ]),
  get('customers/{customer_id}/documents', 'documents:read', 'read', 'Yakında', [
    "List a customer's documents",
    'Müşterinin belgelerini listele',
  ]),
  get('customers/{customer_id}/activity', 'customers:read', 'read', 'Yakında', [
    "List a customer's activity",
    'Müşteri hareketlerini listele',
  ]),
  post('customers/{customer_id}/activity', 'customers:write', 'write', 'Yakında', [
    'Log a call, visit or note',
    'Arama, ziyaret veya not kaydet',
  ]),
]);
