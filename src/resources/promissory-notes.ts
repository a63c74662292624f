// Promissory notes (senet) written for a sale, one per installment. The paper's figures never change; a wrong note is cancelled.
import { get, patch, post, resource } from '../kit/endpoint.ts';

export const promissoryNotes = resource('Promissory notes', 'Senetler', [
  get('promissory-notes', 'promissory-notes:read', 'read', 'Yakında', ['List promissory notes', 'Senetleri listele']),
  post('promissory-notes', 'promissory-notes:write', 'write', 'Yakında', ['Write notes for a sale', 'Satış için senet düzenle']),
  get('promissory-notes/{note_id}', 'promissory-notes:read', 'read', 'Yakında', ['Read a promissory note', 'Senedi getir']),
  patch('promissory-notes/{note_id}', 'promissory-notes:write', 'write', 'Yakında', [
    "Change a note's status",
    'Senedin durumunu değiştir',
  ]),
  get('promissory-notes/{note_id}/document', 'promissory-notes:read', 'read', 'Yakında', [
    'Read the printable note',
    'Senedin çıktısını getir',
  ]),
]);
