// Guarantors (kefil) who stand for a customer's sales. Kept from every key: identity number, address, monthly income.
import { GUARANTOR_FIELDS, Guarantor, listGuarantors, readGuarantor } from '../domain/customers/guarantor.ts';
import { addGuarantor, deleteGuarantor, editGuarantor } from '../domain/customers/guarantor-writes.ts';
import { createBody, patchBody } from '../domain/records/body.ts';
import { del, get, patch, post, resource } from '../kit/endpoint.ts';

export const guarantors = resource('Guarantors', 'Kefiller', [
  get(
    'customers/{customer_id}/guarantors',
    'guarantors:read',
    'read',
    'Yakında',
    ["List a customer's guarantors", 'Müşterinin kefillerini listele'],
    {
      lists: Guarantor,
      run: ({ db, params, page }) => listGuarantors(db, params.customer_id, page),
    },
  ),
  post(
    'customers/{customer_id}/guarantors',
    'guarantors:write',
    'write',
    'Yakında',
    ['Add a guarantor to a customer', 'Müşteriye kefil ekle'],
    {
      takes: createBody(GUARANTOR_FIELDS),
      returns: Guarantor,
      answers: 201,
      run: ({ work, params, body }) => addGuarantor(work, params.customer_id, body),
    },
  ),
  get('guarantors/{guarantor_id}', 'guarantors:read', 'read', 'Yakında', ['Read a guarantor', 'Kefili getir'], {
    returns: Guarantor,
    run: ({ db, params }) => readGuarantor(db, params.guarantor_id),
  }),
  patch('guarantors/{guarantor_id}', 'guarantors:write', 'write', 'Yakında', ['Edit a guarantor', 'Kefili düzenle'], {
    takes: patchBody(GUARANTOR_FIELDS),
    returns: Guarantor,
    run: ({ work, params, body }) => editGuarantor(work, params.guarantor_id, body),
  }),
  del('guarantors/{guarantor_id}', 'guarantors:write', 'destructive', 'Yakında', ['Delete a guarantor', 'Kefili sil'], {
    returns: Guarantor,
    run: ({ work, params }) => deleteGuarantor(work, params.guarantor_id),
  }),
]);
