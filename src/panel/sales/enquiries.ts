// Enquiries: people who ask about a car. People in the role `sales` work on their own and on those without an owner.

import { ENQUIRY_EDIT_FIELDS, ENQUIRY_FIELDS, type Seller } from '../../domain/enquiries/enquiry.ts';
import {
  countEnquiries,
  type EnquiryDetail,
  type EnquiryItem,
  listEnquiries,
  readEnquiry,
} from '../../domain/enquiries/enquiry-list.ts';
import { enterEnquiry } from '../../domain/enquiries/enquiry-receive.ts';
import { ENQUIRY_SOURCES, ENQUIRY_STAGES, type EnquiryStage } from '../../domain/enquiries/enquiry-states.ts';
import {
  CONVERT_FIELDS,
  COUNTER_FIELDS,
  counterOffer,
  ENQUIRY_SALE_FIELDS,
  editEnquiry,
  eraseEnquiry,
  matchingCustomers,
  noteEnquiry,
  sellToEnquiry,
  toCustomer,
} from '../../domain/enquiries/enquiry-writes.ts';
import { rolesFor } from '../../domain/identity/roles.ts';
import { required, textField } from '../../domain/records/fields.ts';
import type { SaleDetail } from '../../domain/sales/sale-view.ts';
import { sealingKeys } from '../../domain/vault/vault.ts';
import { oneOfParam, paging, uuidParam } from '../../kit/params.ts';
import type { Work } from '../../kit/work.ts';
import { listed, type PanelAccount, type PanelSession, panelGet, panelPatch, panelPost } from '../kit/endpoint.ts';
import type { PanelServices } from '../kit/services.ts';
import { type Writing, writeInAccount } from '../kit/write.ts';

export type { EnquiryDetail, EnquiryItem };

const READERS = rolesFor({ scope: 'tasks:read', risk: 'read' });
const SELLERS = rolesFor({ scope: 'customers:write', risk: 'write' });

const sellerOf = (account: PanelAccount): Seller => (account.role === 'sales' ? { memberId: account.member_id } : null);

const keysOf = ({ services, account }: { readonly services: PanelServices; readonly account: PanelAccount }) =>
  sealingKeys(services.secrets, account.id);

/** The enquiry after the write. */
const written = (
  context: Writing & { readonly session: PanelSession },
  id: string,
  run: (work: Work, seller: Seller) => Promise<unknown>,
): Promise<EnquiryDetail> =>
  writeInAccount(context, async (work) => {
    await run(work, sellerOf(context.account));
    // An enquiry that was given away is shown once more to the person who did it.
    return readEnquiry(work.db, work.keys, id, null);
  });

const FILTERS = {
  ...paging,
  stage: oneOfParam(['open', ...ENQUIRY_STAGES]),
  source: oneOfParam(ENQUIRY_SOURCES),
  owner_id: uuidParam,
  vehicle_id: uuidParam,
} as const;

export const enquiryEndpoints = [
  panelGet('enquiries', {
    who: READERS,
    databaseRole: 'tenant',
    query: FILTERS,
    run: async (context) => {
      const { db, query, account } = context;
      return listed(await listEnquiries(db, keysOf(context), query, sellerOf(account), query), query);
    },
  }),
  panelGet('enquiries/counts', {
    who: READERS,
    databaseRole: 'tenant',
    run: ({ db, account }): Promise<{ stage: EnquiryStage; count: number }[]> => countEnquiries(db, sellerOf(account)),
  }),
  panelPost('enquiries', {
    who: SELLERS,
    databaseRole: 'none',
    bodySchema: ENQUIRY_FIELDS,
    // The open enquiry of a colleague is not shown to a salesperson: the person's telephone number alone would read it.
    run: (context): Promise<(EnquiryDetail | Pick<EnquiryDetail, 'id'>) & { readonly is_new: boolean }> =>
      writeInAccount(context, async (work) => {
        const { id, isNew, isSeen } = await enterEnquiry(work, context.body, sellerOf(context.account));
        return { ...(isSeen ? await readEnquiry(work.db, work.keys, id, null) : { id }), is_new: isNew };
      }),
  }),
  panelGet('enquiries/{enquiry_id}', {
    who: READERS,
    databaseRole: 'tenant',
    run: (context): Promise<EnquiryDetail> =>
      readEnquiry(context.db, keysOf(context), context.params.enquiry_id, sellerOf(context.account)),
  }),
  panelPatch('enquiries/{enquiry_id}', {
    who: SELLERS,
    databaseRole: 'none',
    bodySchema: ENQUIRY_EDIT_FIELDS,
    run: (context): Promise<EnquiryDetail> => {
      const { enquiry_id } = context.params;
      return written(context, enquiry_id, (work, seller) => editEnquiry(work, enquiry_id, context.body, seller));
    },
  }),
  panelPost('enquiries/{enquiry_id}/notes', {
    who: SELLERS,
    databaseRole: 'none',
    bodySchema: { text: required(textField(2000, { lines: true })) },
    run: (context): Promise<EnquiryDetail> => {
      const { enquiry_id } = context.params;
      return written(context, enquiry_id, (work, seller) => noteEnquiry(work, enquiry_id, context.body.text, seller));
    },
  }),
  panelPost('enquiries/{enquiry_id}/counter', {
    who: SELLERS,
    databaseRole: 'none',
    bodySchema: COUNTER_FIELDS,
    run: (context): Promise<EnquiryDetail> => {
      const { enquiry_id } = context.params;
      return written(context, enquiry_id, (work, seller) => counterOffer(work, enquiry_id, context.body.amount, seller));
    },
  }),
  panelGet('enquiries/{enquiry_id}/matches', {
    who: SELLERS,
    databaseRole: 'tenant',
    run: (context) =>
      matchingCustomers({ db: context.db, keys: keysOf(context) }, context.params.enquiry_id, sellerOf(context.account)),
  }),
  panelPost('enquiries/{enquiry_id}/customer', {
    who: SELLERS,
    databaseRole: 'none',
    bodySchema: CONVERT_FIELDS,
    run: (context): Promise<EnquiryDetail> => {
      const { enquiry_id } = context.params;
      return written(context, enquiry_id, (work, seller) => toCustomer(work, enquiry_id, context.body, seller));
    },
  }),
  panelPost('enquiries/{enquiry_id}/sale', {
    who: rolesFor({ scope: 'sales:write', risk: 'write' }),
    databaseRole: 'none',
    bodySchema: ENQUIRY_SALE_FIELDS,
    run: (context): Promise<SaleDetail> =>
      writeInAccount(context, (work) => sellToEnquiry(work, context.params.enquiry_id, context.body, sellerOf(context.account))),
  }),
  panelPost('enquiries/{enquiry_id}/erase', {
    who: ['owner'],
    databaseRole: 'none',
    recent: true,
    run: (context): Promise<EnquiryDetail> => {
      const { enquiry_id } = context.params;
      return written(context, enquiry_id, (work) => eraseEnquiry(work, enquiry_id));
    },
  }),
];
