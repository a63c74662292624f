// Guarantors (kefil) who stand for a customer's sales. Kept from every key: identity number, address, monthly income.
import { del, get, patch, post, resource } from '../kit/endpoint.ts';

export const guarantors = resource('Guarantors', 'Kefiller', [
  get('customers/{customer_id}/guarantors', 'guarantors:read', 'read', 'Yakında', [
    "List a customer's guarantors",
    'Müşterinin kefillerini listele',
  ]),
  post('customers/{customer_id}/guarantors', 'guarantors:write', 'write', 'Yakında', [
    'Add a guarantor to a customer',
    'Müşteriye kefil ekle',
  ]),
  get('guarantors/{guarantor_id}', 'guarantors:read', 'read', 'Yakında', ['Read a guarantor', 'Kefili getir']),
  patch('guarantors/{guarantor_id}', 'guarantors:write', 'write', 'Yakında', ['Edit a guarantor', 'Kefili düzenle']),
  del('guarantors/{guarantor_id}', 'guarantors:write', 'destructive', 'Yakında', ['Delete a guarantor', 'Kefili sil']),
]);
