// The builders of request bodies: each returns the body of its endpoint, so a misspelt field does not compile (`tsc -p web`).
import { call } from '../../web/src/api.ts';
import type { RawBody } from '../../web/src/endpoints.ts';
import type { Form } from '../../web/src/parts/form/form-state.ts';
import type { Write } from '../../web/src/parts/form/form-write.ts';
import * as person from '../../web/src/records/customers/person-values.ts';
import { expenseBody } from '../../web/src/records/expenses/new-expense.tsx';
import { accountBody } from '../../web/src/screens/admin/accounts/new-account.tsx';
import { planBody as membershipBody } from '../../web/src/screens/admin/accounts/plan-forms.tsx';
import * as auctionRequest from '../../web/src/screens/auctions/request-form.tsx';
import { recurringBody } from '../../web/src/screens/expenses/recurring.tsx';
import * as connector from '../../web/src/screens/imports/form-values.ts';
import { closingBody } from '../../web/src/screens/receivables/till.tsx';
import { transferBody } from '../../web/src/screens/receivables/till-transfers.tsx';
import { cancelBody } from '../../web/src/screens/sale-acts/cancel.tsx';
import { collectionBody } from '../../web/src/screens/sale-acts/collect/collect-values.ts';
import { installmentsToSend } from '../../web/src/screens/sale-acts/own-installments.tsx';
import { restructureBody } from '../../web/src/screens/sale-acts/restructure.tsx';
import * as saleEdit from '../../web/src/screens/sales/edit/edit-values.ts';
import { planBody, type SaleForm, saleBody } from '../../web/src/screens/sales/new/new-values.ts';
import { clausesBody } from '../../web/src/screens/settings/paper-screen.tsx';
import { settingsBody } from '../../web/src/screens/settings/settings-values.ts';
import * as task from '../../web/src/screens/tasks/form.tsx';
import { reservationBody } from '../../web/src/screens/vehicles/act-dialogs.tsx';
import { patchesOf } from '../../web/src/screens/vehicles/bulk/bulk-values.ts';
import { conditionToSend } from '../../web/src/screens/vehicles/condition-values.ts';
import * as vehicle from '../../web/src/screens/vehicles/form-values.ts';
import { webhookBody } from '../../web/src/screens/webhooks/webhook-fields.tsx';

/** Fits every parameter. */
declare const any: never;
declare const addTask: Write<RawBody<'POST v1/tasks'>, unknown>;
declare const saleForm: Form<SaleForm>;

/** Never run: only its types matter. A builder that returned `Record<string, unknown>` would have every field. */
export async function refused(): Promise<void> {
  // @ts-expect-error sale_price
  saleBody(any).price;
  // @ts-expect-error at every depth: trade_in.vehicle.model_year
  saleBody(any).trade_in?.vehicle?.year;
  // @ts-expect-error installment_count
  planBody(any).count;
  // @ts-expect-error title_transfer
  saleEdit.editBody(any, []).transfer;
  // @ts-expect-error title_transfer.on
  saleEdit.editBody(any, []).title_transfer?.date;
  // @ts-expect-error restructure.add_finance_charge
  restructureBody(any, '').restructure?.finance_charge;
  // @ts-expect-error due_date
  installmentsToSend([])[0]?.date;
  // @ts-expect-error collected_on
  collectionBody(any, any).date;
  // @ts-expect-error instrument.number
  collectionBody(any, any).instrument?.no;
  // @ts-expect-error exchange_rate
  expenseBody(any).rate;
  // @ts-expect-error day_of_month
  recurringBody(any).day;
  // @ts-expect-error from_branch_id
  transferBody(any).branch_id;
  // @ts-expect-error first_name
  person.contactBody(any).name;
  // @ts-expect-error monthly_income
  person.customerBody(any).income;
  // @ts-expect-error notice_given_on
  person.customerEdit(any, []).notice_on;
  // @ts-expect-error relationship
  person.guarantorBody(any).relation;
  // @ts-expect-error id_no
  person.guarantorEdit(any, []).identity_no;
  // @ts-expect-error color
  vehicle.createBody(any).colour;
  // @ts-expect-error purchase_price
  vehicle.editBody(any, []).cost;
  // @ts-expect-error stock_date
  patchesOf([], [], any)[0]?.date;
  // @ts-expect-error tramer_amount
  conditionToSend(any)?.tramer;
  // @ts-expect-error key_field
  connector.createBody(any).key;
  // @ts-expect-error config.record_path
  connector.createBody(any).config?.path;
  // @ts-expect-error schedule
  connector.editBody(any, any).interval;
  // @ts-expect-error username
  connector.credentialsBody(any, false)?.user;
  // @ts-expect-error due_at
  task.createBody(any, '').due;
  // @ts-expect-error assignee_id
  task.editBody(any, [], '').assignee;
  // @ts-expect-error overdue_grace_days
  settingsBody(any, []).grace_days;
  // @ts-expect-error satis_sozlesmesi
  clausesBody({}).sozlesme;
  // @ts-expect-error description
  webhookBody(any).name;
  // @ts-expect-error owner_full_name
  accountBody(any).owner_name;
  // @ts-expect-error period_end
  membershipBody(any).ends_on;
  // @ts-expect-error reserve_price
  auctionRequest.createBody(any).reserve;
  // @ts-expect-error min_increment
  auctionRequest.editBody(any).increment;

  // @ts-expect-error refund_amount
  cancelBody(any, any, '').refund;
  // @ts-expect-error counted
  closingBody(any, any, '').lines;
  // @ts-expect-error reserved_until
  reservationBody(any).until;

  const typed = { title: 'Ara', priorty: 'Normal' };
  // @ts-expect-error a misspelt field of an object that was built elsewhere
  addTask.run(typed);
  // @ts-expect-error an object whose names are not known
  addTask.run(Object.fromEntries(Object.entries(typed)));
  // @ts-expect-error the same, sent without a form
  await call('POST v1/tasks', { rawBody: typed });
  // @ts-expect-error a checkbox is true or false
  saleForm.set('has_trade_in', '1');
  // @ts-expect-error a list is a list
  saleForm.set('guarantor_ids', '[]');
}
