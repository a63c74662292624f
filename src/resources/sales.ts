// Sales of vehicles to customers, for cash or by installments. Kept from every key: the car's cost, and so the profit on a sale.
import { del, get, patch, post, resource } from '../kit/endpoint.ts';

export const sales = resource('Sales', 'Satışlar', [
  get('sales', 'sales:read', 'read', 'Yakında', ['List sales', 'Satışları listele']),
  post('sales', 'sales:write', 'write', 'Yakında', ['Sell a vehicle', 'Araç satışı yap']),
  get('sales/{sale_id}', 'sales:read', 'read', 'Yakında', ['Read a sale with totals', 'Satışı toplamlarıyla getir']),
  patch('sales/{sale_id}', 'sales:write', 'write', 'Yakında', ['Edit a sale or its terms', 'Satışı veya koşullarını düzenle']),
  del('sales/{sale_id}', 'sales:write', 'destructive', 'Yakında', [
    'Cancel a sale with nothing collected',
    'Tahsilatı olmayan satışı iptal et',
  ]),
  get('sales/{sale_id}/installment-plan', 'installments:read', 'read', 'Yakında', [
    "Read a sale's installment plan",
    'Satışın taksit planını getir',
  ]),
  get('sales/{sale_id}/collections', 'collections:read', 'read', 'Yakında', [
    "List a sale's collections",
    'Satışın tahsilatlarını listele',
  ]),
  get('sales/{sale_id}/documents', 'documents:read', 'read', 'Yakında', [
    "List a sale's documents",
    'Satışın belgelerini listele',
  ]),
  post('sales/{sale_id}/cancel', 'sales:write', 'destructive', 'Yakında', [
    'Cancel a sale and settle the refund',
    'Satışı iptal et, iadesini kapat',
  ]),
]);
