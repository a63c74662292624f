// Guarantors (kefil) of a customer's sales. Hidden from every key: identity number, address, monthly income.
import { GUARANTOR_FIELDS, Guarantor, listGuarantors, readGuarantor } from '../domain/customers/guarantor.ts';
import { addGuarantor, deleteGuarantor, editGuarantor } from '../domain/customers/guarantor-writes.ts';
import { createBody, patchBody } from '../domain/records/body.ts';
import { del, get, patch, post, resource } from '../kit/endpoint.ts';
import { trueParam } from '../kit/params.ts';

export const guarantors = resource('Guarantors', 'Kefiller', [
  get(
    'customers/{customer_id}/guarantors',
    'guarantors:read',
    'read',
    'Yakında',
    ["List a customer's guarantors", 'Müşterinin kefillerini listele'],
    {
      about: ['Returns the guarantors (kefil) of a customer, newest first.', 'Müşterinin kefilleri, en yeniden eskiye.'],
      query: { deleted: trueParam },
      lists: Guarantor,
      synced: true,
      run: ({ db, params, query, page }) => listGuarantors(db, params.customer_id, query.deleted, page),
    },
  ),
  post(
    'customers/{customer_id}/guarantors',
    'guarantors:write',
    'write',
    'Yakında',
    ['Add a guarantor to a customer', 'Müşteriye kefil ekle'],
    {
      about: [
        'Adds a guarantor to a customer. The identity number must differ from the customer’s and from those of the other guarantors.',
        'Müşteriye kefil ekler. Aynı kimlik numarası ikinci kez ya da müşterinin kendi numarası reddedilir.',
      ],
      refuses: ['duplicate_guarantor', 'guarantor_is_customer'],
      emits: ['guarantor.created'],
      bodySchema: createBody(GUARANTOR_FIELDS),
      returns: Guarantor,
      successStatus: 201,
      run: ({ work, params, body }) => addGuarantor(work, params.customer_id, body),
    },
  ),
  get('guarantors/{guarantor_id}', 'guarantors:read', 'read', 'Yakında', ['Read a guarantor', 'Kefili getir'], {
    about: [
      'Returns a guarantor. Identity number, address and income are never returned.',
      'Bir kefil. Kimlik numarası, adres ve gelir hiçbir zaman gösterilmez.',
    ],
    returns: Guarantor,
    run: ({ db, params }) => readGuarantor(db, params.guarantor_id),
  }),
  patch('guarantors/{guarantor_id}', 'guarantors:write', 'write', 'Yakında', ['Edit a guarantor', 'Kefili düzenle'], {
    about: [
      'Updates the fields you send; `null` clears a field. The identity number must differ from the customer’s and from those of the other guarantors.',
      'Verilen alanları değiştirir; `null` boşaltır. Bir müşteride aynı kimlik numarası ikinci kez ya da müşterinin kendi numarası reddedilir.',
    ],
    refuses: ['duplicate_guarantor', 'guarantor_is_customer'],
    emits: ['guarantor.updated'],
    bodySchema: patchBody(GUARANTOR_FIELDS),
    returns: Guarantor,
    run: ({ work, params, body }) => editGuarantor(work, params.guarantor_id, body),
  }),
  del('guarantors/{guarantor_id}', 'guarantors:write', 'destructive', 'Yakında', ['Delete a guarantor', 'Kefili sil'], {
    about: [
      'Removes a guarantor from the customer. Fails while the guarantor is part of a sale that is «Aktif» or of an active promissory note.',
      'Kefili müşteriden kaldırır. «Aktif» bir satışta ya da geçerli bir senette yer alan kefil silinmez.',
    ],
    refuses: ['guarantor_in_use'],
    emits: ['guarantor.deleted'],
    returns: Guarantor,
    run: ({ work, params }) => deleteGuarantor(work, params.guarantor_id),
  }),
]);
