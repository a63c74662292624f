// Money received from customers. Append-only: a collection is never edited or deleted, only reversed by a second record.
import { get, post, resource } from '../kit/endpoint.ts';

export const collections = resource('Collections', 'Tahsilatlar', [
  get('collections', 'collections:read', 'read', 'Yakında', ['List collections', 'Tahsilatları listele']),
  post('collections', 'collections:write', 'write', 'Yakında', ['Record a collection', 'Tahsilat gir']),
  get('collections/{collection_id}', 'collections:read', 'read', 'Yakında', [
    'Read a collection with its allocations',
    'Tahsilatı dağılımıyla getir',
  ]),
  post('collections/{collection_id}/reverse', 'collections:write', 'destructive', 'Yakında', [
    'Reverse a collection',
    'Tahsilatı ters kayıtla iptal et',
  ]),
  get('collections/summary', 'collections:read', 'read', 'Yakında', [
    'Total collections for a period',
    'Dönemin tahsilat toplamlarını getir',
  ]),
]);
