// A row in each table that writes fill, each with the dealer's mark in it.
import { randomBytes } from 'node:crypto';
import { aliasOf, nextLink } from '../../src/domain/auctions/bid-rules.ts';
import { sealEntry, sealPerson } from '../../src/domain/enquiries/enquiry.ts';
import { insertRecords } from '../../src/domain/records/record.ts';
import { post } from '../../src/domain/wallet/ledger.ts';
import { dropMessage } from '../../src/domain/worlds/messages.ts';
import type { Database, Db } from '../../src/kit/db.ts';
import { newId } from '../../src/kit/ids.ts';
import { own, type Sql, sql, theAccount } from '../../src/kit/sql.ts';
import type { SealingKeys } from '../../src/kit/work.ts';

export interface Marked {
  readonly vehicle: string;
  readonly customer: string;
  word(about: string): string;
}

export async function fillWrites(db: Db, keys: SealingKeys, { vehicle, customer, word }: Marked): Promise<void> {
  const event = `evt_${newId()}`;
  const webhook = newId();
  await db.exec(sql`insert into idempotency (account_id, key, endpoint, fingerprint)
    values (${theAccount}, ${word('key').replaceAll(' ', '')}, 'POST vehicles', ${Buffer.alloc(32)})`);
  await db.exec(sql`insert into transition_failures (account_id, kind, record_id, error, tries, first_failed_at, failed_at, next_try_at)
    values (${theAccount}, 'network_auction', ${newId()}, ${word('error')}, 1, now(), now(), now() + interval '1 year')`);
  await db.exec(sql`insert into events (account_id, id, kind, resource_kind, payload, created_at)
    values (${theAccount}, ${event}, 'vehicle.created', 'vehicle', ${word('payload')}, now())`);
  await db.exec(sql`insert into webhooks (account_id, id, url, events, description, secret_encrypted, secret_hint, status)
    values (${theAccount}, ${webhook}, 'https://example.com/hook', '{*}', ${word('hook')}, ${Buffer.from(word('secret'))}, 'abcd', 'Pasif')`);
  const delivery = newId();
  await db.exec(sql`insert into webhook_deliveries (account_id, id, webhook_id, event_id, event_type, status, created_at, error)
    values (${theAccount}, ${delivery}, ${webhook}, ${event}, 'vehicle.created', 'Başarısız', now(), ${word('error')})`);
  await db.exec(sql`insert into webhook_attempts (account_id, delivery_id, number, created_at, response_excerpt, duration_ms)
    values (${theAccount}, ${delivery}, 1, now(), ${word('answer')}, 1)`);
  await db.exec(sql`insert into vehicle_history (account_id, id, vehicle_id, event, actor_type, actor_name, note, created_at)
    values (${theAccount}, ${newId()}, ${vehicle}, 'updated', 'panel', ${word('actor')}, ${word('note')}, now())`);
  await db.exec(sql`insert into reservations (account_id, id, vehicle_id, kind, customer_id, note)
    values (${theAccount}, ${newId()}, ${vehicle}, 'Müşteri', ${customer}, ${word('held')})`);
  // Published, the whole network would see it.
  const listing = newId();
  await db.exec(sql`insert into listings (account_id, id, vehicle_id, title, status, published_at)
    values (${theAccount}, ${listing}, ${vehicle}, ${word('title')}, 'Askıda', now())`);
  await fillNetwork(db, { vehicle, customer, word }, listing);
  await db.exec(sql`insert into marketplace_offers (account_id, id, listing_id, vehicle_id, buyer_name, buyer_phone, amount_minor, currency, message,
      expires_at)
    values (${theAccount}, ${newId()}, ${listing}, ${vehicle}, ${word('buyer')}, '+905330000001', 1, 'STG', ${word('offer')}, now() + interval '7 days')`);
  await db.exec(
    sql`insert into listing_visits (account_id, listing_id, day, slot, views) values (${theAccount}, ${listing}, '2020-01-01', 0, 1)`,
  );
  await fillAuctions(db, { vehicle, customer, word });
  await db.exec(sql`insert into guarantors (account_id, id, customer_id, first_name, last_name, phone)
    values (${theAccount}, ${newId()}, ${customer}, ${word('first')}, ${word('last')}, '+905330000000')`);
  await db.exec(sql`insert into customer_activity (account_id, id, customer_id, kind, note, occurred_at, source)
    values (${theAccount}, ${newId()}, ${customer}, 'Arama', ${word('call')}, now(), 'manual')`);
  await db.exec(
    sql`insert into tasks (account_id, id, title, vehicle_id) values (${theAccount}, ${newId()}, ${word('task')}, ${vehicle})`,
  );
  await db.exec(sql`insert into vehicle_videos (account_id, id, vehicle_id, url, provider, title, "position")
    values (${theAccount}, ${newId()}, ${vehicle}, 'https://example.com/v', 'other', ${word('video')}, 1)`);
  const [file, thumbnail] = [newId(), newId()];
  for (const id of [file, thumbnail])
    await db.exec(sql`insert into stored_files (account_id, id, name, content_type, size_bytes, sha256, state, created_at, state_at)
      values (${theAccount}, ${id}, ${id.replaceAll('-', '').replace(/^../, '$&/')}, ${word('type')}, 1, ${Buffer.alloc(32)}, 'kept', now(), now())`);
  await db.exec(sql`insert into vehicle_photos (account_id, id, vehicle_id, file_id, thumbnail_id, content_type, caption, "position")
    values (${theAccount}, ${newId()}, ${vehicle}, ${file}, ${thumbnail}, 'image/jpeg', ${word('caption')}, 1)`);
  await db.exec(sql`insert into notifications (account_id, id, kind, title, body)
    values (${theAccount}, ${newId()}, 'notification.created', ${word('title')}, ${word('body')})`);
  const connector = newId();
  await db.exec(sql`insert into import_connectors (account_id, id, name, type, transport, target, config, key_field)
    values (${theAccount}, ${connector}, ${word('feed')}, 'csv', 'inline', 'vehicles', '{}', 'plate')`);
  const run = newId();
  await db.exec(sql`insert into import_runs (account_id, id, connector_id, trigger, dry_run, status, finished_at, failure_message,
      actor_type, actor_name)
    values (${theAccount}, ${run}, ${connector}, 'Elle', false, 'Başarısız', now(), ${word('failure')}, 'system', ${word('actor')})`);
  await db.exec(sql`insert into import_contents (account_id, id, run_id, part, bytes_encrypted)
    values (${theAccount}, ${newId()}, ${run}, 0, ${Buffer.from(word('content'))})`);
  await db.exec(sql`insert into import_row_errors (account_id, id, run_id, row_number, key, code, message)
    values (${theAccount}, ${newId()}, ${run}, 1, ${word('row key')}, 'invalid', ${word('row error')})`);
  await db.exec(sql`insert into sandbox_acts (account_id, id, kind, record_id, details, due_at, created_at, done_at, outcome)
    values (${theAccount}, ${newId()}, 'offer_answer', ${newId()}, ${word('details')}, now(), now(), now(), ${word('outcome')})`);
  const message = { channel: 'E-posta', to: word('recipient'), subject: word('subject'), text: word('text') } as const;
  await dropMessage(db, keys, message, new Date());
  await fillShowroom(db, keys, { vehicle, word });
  await fillCustomerPage(db, { customer, word });
  await fillSales(db, { vehicle, customer, word });
  await fillWallet(db, { vehicle, customer, word });
}

/** A showroom that is off: on, strangers would see its cars. And a person who asked about a car. */
async function fillShowroom(db: Db, keys: SealingKeys, { vehicle, word }: Pick<Marked, 'vehicle' | 'word'>): Promise<void> {
  const [slug, enquiry, entry] = [word('oto').toLowerCase().replaceAll(' ', '-'), newId(), newId()];
  const now = new Date();
  await insertRecords(db, 'showroom_slugs', [{ slug }]);
  await insertRecords(db, 'showrooms', [{ slug, created_at: now, updated_at: now }]);
  const person = sealPerson(keys, enquiry, { name: word('asker'), phone: '+905330000002' });
  const times = { last_activity_at: now, created_at: now, updated_at: now };
  await insertRecords(db, 'enquiries', [{ id: enquiry, source: 'Vitrin', ...person, vehicle_id: vehicle, ...times }]);
  await insertRecords(db, 'enquiry_entries', [
    {
      id: entry,
      enquiry_id: enquiry,
      kind: 'received',
      value: 'Vitrin',
      text_encrypted: sealEntry(keys, entry, word('asked')),
      actor: word('actor'),
      created_at: now,
    },
  ]);
}

/** A link to the customer's page, a code that was mailed, and where the customer pays. */
async function fillCustomerPage(db: Db, { customer, word }: Pick<Marked, 'customer' | 'word'>): Promise<void> {
  const link = newId();
  await db.exec(sql`insert into customer_links (account_id, id, customer_id, token_hash, channel, address, created_by, created_at, expires_at)
    values (${theAccount}, ${link}, ${customer}, ${randomBytes(32)}, 'E-posta', ${word('address')}, ${word('person')}, now(),
      now() + interval '90 days')`);
  await db.exec(sql`insert into customer_page_codes (account_id, id, link_id, created_at, delivery, address, expires_at)
    values (${theAccount}, ${newId()}, ${link}, now(), 'mail', ${word('address')}, now())`);
  await db.exec(sql`insert into bank_accounts (account_id, id, bank, holder, iban, currency, created_at)
    values (${theAccount}, ${newId()}, ${word('bank')}, ${word('holder')}, 'TR330006100519786457841326', 'TL', now())`);
}

/** Money out, dated before the till is closed. */
async function fillExpenses(
  db: Db,
  { vehicle, main, word }: Pick<Marked, 'vehicle' | 'word'> & { readonly main: Sql },
): Promise<void> {
  const rule = newId();
  await db.exec(sql`insert into recurring_expenses (account_id, id, category, amount_minor, currency, branch_id, method, supplier, note, day_of_month,
      next_on, created_by, created_at)
    values (${theAccount}, ${rule}, 'Kira', 100, 'STG', ${main}, 'Nakit', ${word('landlord')}, ${word('rule')}, 1, '2020-02-01', ${word('person')}, now())`);
  await db.exec(sql`insert into expenses (account_id, id, number, expense_no, kind, category, amount_minor, currency, valued_currency, valued_amount_minor,
      day, branch_id, method, vehicle_id, supplier, note, created_by, created_at)
    values (${theAccount}, ${newId()}, 1, 'G-2020-00001', 'Araç', 'Onarım', 5, 'STG', 'STG', 5, '2020-01-02', ${main}, 'Nakit', ${vehicle},
      ${word('garage')}, ${word('expense')}, ${word('person')}, now())`);
  await db.exec(sql`insert into cash_transfers (account_id, id, number, transfer_no, amount_minor, currency, day, from_place, from_branch_id, to_place,
      note, created_by, created_at)
    values (${theAccount}, ${newId()}, 1, 'V-2020-00001', 10, 'STG', '2020-01-02', 'Kasa', ${main}, 'Banka', ${word('transfer')}, ${word('person')}, now())`);
}

/** A sale of one row, partly paid, whose sums the database accepts. */
async function fillSales(db: Db, { vehicle, customer, word }: Marked): Promise<void> {
  const [sale, plan, row, money] = [newId(), newId(), newId(), newId()];
  const main = sql`(select id from branches where account_id = ${theAccount} and is_main)`;
  await db.exec(sql`insert into number_series (account_id, series, year, last) values (${theAccount}, 'S', 2020, 1)`);
  await db.exec(sql`insert into sales (account_id, id, plan_id, sale_no, vehicle_id, customer_id, sale_date, currency, sale_price_minor, payment_type,
      collected_amount_minor, notes)
    values (${theAccount}, ${sale}, ${plan}, 'S-2020-00001', ${vehicle}, ${customer}, '2020-01-01', 'STG', 100, 'Taksitli', 40, ${word('sale')})`);
  await db.exec(sql`insert into installments (account_id, id, sale_id, plan_id, customer_id, seq, kind, due_date, original_due_date, due_day, amount_minor,
      currency, note)
    values (${theAccount}, ${row}, ${sale}, ${plan}, ${customer}, 1, 'Taksit', '2020-02-01', '2020-02-01', 1, 100, 'STG', ${word('row')})`);
  await db.exec(sql`insert into collections (account_id, id, number, receipt_no, type, sale_id, customer_id, branch_id, amount_minor, currency, sale_currency,
      applied_amount_minor, method, collected_on, note)
    values (${theAccount}, ${money}, 1, 'T-2020-00001', 'Tahsilat', ${sale}, ${customer}, ${main}, 40, 'STG', 'STG', 40, 'Nakit', '2020-01-02', ${word('money')})`);
  await db.exec(sql`insert into collection_allocations (account_id, collection_id, place, installment_id, is_discount, amount_minor)
    values (${theAccount}, ${money}, 1, ${row}, false, 40)`);
  await db.exec(
    sql`update installments set paid_amount_minor = 40, status = 'Kısmi Ödendi' where account_id = ${theAccount} and id = ${row}`,
  );
  await db.exec(sql`insert into promissory_notes (account_id, id, note_no, sale_id, installment_id, customer_id, payee_name, amount_minor, amount_in_words,
      currency, issue_date, issue_place, due_date, payment_place, paid_at_issue_minor, note)
    values (${theAccount}, ${newId()}, 'N-2020-00001', ${sale}, ${row}, ${customer}, ${word('payee')}, 60, 'Altmış peni', 'STG', '2020-01-01', ${word('place')},
      '2020-02-01', ${word('place')}, 40, ${word('paper')})`);
  await db.exec(sql`insert into payment_promises (account_id, id, customer_id, sale_id, promised_date, amount_minor, currency, note)
    values (${theAccount}, ${newId()}, ${customer}, ${sale}, '2020-03-01', 10, 'STG', ${word('promise')})`);
  await fillExpenses(db, { vehicle, main, word });
  await db.exec(sql`insert into till_closings (account_id, id, branch_id, day, lines, reason, closed_by, closed_at)
    values (${theAccount}, ${newId()}, ${main}, '2020-01-02', '[]', ${word('difference')}, ${word('person')}, now())`);
  await db.exec(sql`update branches set closed_through = '2020-01-02' where account_id = ${theAccount} and id = ${main}`);
  await db.exec(sql`insert into paper_verifications (account_id, code, kind, record_id, number, day, created_at)
    values (${theAccount}, ${money.replaceAll('-', '').slice(6).toUpperCase()}, 'makbuz', ${money}, ${word('paper')}, '2026-01-15', now())`);
  const [document, recipient] = [newId(), newId()];
  await db.exec(sql`insert into documents (account_id, id, origin, kind, title, sale_id, content_type, size_bytes, sha256, template_id, template_code,
      version, status, signature, erased_at, note)
    values (${theAccount}, ${document}, 'Üretildi', 'Diğer', ${word('title')}, ${sale}, 'application/pdf', 1, ${Buffer.alloc(32)}, ${newId()}, 'kefaletname',
      1, 'Taslak', 'Islak', now(), ${word('document')})`);
  await db.exec(sql`insert into document_recipients (account_id, id, document_id, "position", role, name)
    values (${theAccount}, ${recipient}, ${document}, 1, 'Kefil', ${word('recipient')})`);
  await db.exec(sql`insert into signing_links (account_id, token_hash, recipient_id)
    values (${theAccount}, ${randomBytes(32)}, ${recipient})`);
  await db.exec(sql`insert into signing_codes (account_id, id, recipient_id, created_at, delivery, address, expires_at)
    values (${theAccount}, ${newId()}, ${recipient}, now(), 'mail', ${word('address')}, now())`);
  await db.exec(sql`insert into document_events (account_id, id, document_id, number, kind, recipient_name, occurred_at)
    values (${theAccount}, ${newId()}, ${document}, 1, 'created', ${word('recipient')}, now())`);
  // A signed one, with its file's record.
  const copy = newId();
  await db.exec(sql`insert into stored_files (account_id, id, name, content_type, size_bytes, sha256, state, is_sensitive, created_at, state_at)
    values (${theAccount}, ${copy}, ${`${copy.slice(0, 2)}/${copy.replaceAll('-', '').slice(2)}`}, 'application/pdf', 1, ${Buffer.alloc(32)}, 'kept', true,
      now(), now())`);
  await db.exec(sql`insert into documents (account_id, id, origin, kind, title, sale_id, content_type, size_bytes, sha256, template_id, template_code,
      version, status, signature, signature_method, completed_at, file_id, signed_file_id, note)
    values (${theAccount}, ${newId()}, 'Üretildi', 'Diğer', ${word('title')}, ${sale}, 'application/pdf', 1, ${Buffer.alloc(32)}, ${newId()},
      'teslim_tutanagi', 1, 'İmzalandı', 'İkisi', 'Islak', now(), ${copy}, ${copy}, ${word('document')})`);
  await db.exec(sql`insert into report_schedules (account_id, id, report, frequency, email, sent_on, created_at)
    values (${theAccount}, ${newId()}, 'sales-summary', 'Aylık', ${word('mail').replaceAll(' ', '')}, '2020-02-01', now())`);
  await db.exec(sql`insert into mail_budgets (account_id, since, used) values (${theAccount}, '2020-02-01', 1)`);
  await db.exec(sql`insert into sent_reminders (account_id, id, installment_id, sale_id, customer_id, seq, due_date, day, channel, recipient_role, recipient_id,
      amount_minor, currency, sent_at)
    values (${theAccount}, ${newId()}, ${row}, ${sale}, ${customer}, 1, '2020-02-01', 0, 'WhatsApp', 'Müşteri', ${customer}, 60, 'STG', now())`);
}

/** Marked as demonstration, like a listing that is not published: otherwise the whole network would see them. */
async function fillAuctions(db: Db, { vehicle, word }: Marked): Promise<void> {
  const [event, request, hash] = [newId(), newId(), 'a'.repeat(64)];
  for (const [status, ended] of [
    ['İptal', sql`now()`],
    ['Canlı', sql`null`],
  ] as const)
    await db.exec(sql`insert into network_auctions (account_id, id, is_demo, vehicle_id, title, currency, start_price_minor, min_increment_minor,
        starts_at, ends_at, original_ends_at, status, ended_at, end_reason, chain_head, created_at, updated_at)
      values (${theAccount}, ${newId()}, true, ${vehicle}, ${word('auction')}, 'STG', 100, 10, now(), now() + interval '3 h', now() + interval '3 h',
        ${status}, ${ended}, ${word('end')}, ${hash}, now(), now())`);
  await db.exec(sql`insert into live_events (account_id, id, is_demo, title, starts_at, status, cancel_reason, created_at, updated_at)
    values (${theAccount}, ${event}, true, ${word('event')}, now(), 'İptal', ${word('cancel')}, now(), now())`);
  await db.exec(sql`insert into auction_requests (account_id, id, vehicle_id, start_price_minor, currency, note, created_at, updated_at)
    values (${theAccount}, ${request}, ${vehicle}, 100, 'STG', ${word('request')}, now(), now())`);
  await db.exec(sql`insert into live_lots (account_id, id, event_id, operator_id, lot_no, vehicle_id, request_id, currency, start_price_minor,
      min_increment_minor, status, ended_at, note, chain_head, created_at, updated_at)
    values (${theAccount}, ${newId()}, ${event}, ${newId()}, 1, ${vehicle}, ${request}, 'STG', 100, 10, 'Çekildi', now(), ${word('lot')}, ${hash}, now(), now())`);
}

/** One dealer's bid in the running auction of another, so that both have bids and events of bids once each bids on the other. */
export async function bidOnTheOther(
  database: Database,
  mine: { accountId: string },
  other: { accountId: string },
): Promise<void> {
  const { id } = await database.inTenant(other.accountId, 'read', (db) =>
    db.one<{ id: string }>(sql`select id from ${own('network_auctions')} where status = 'Canlı'`),
  );
  await database.inTenant(mine.accountId, 'write', async (db) => {
    const { at } = await db.one<{ at: Date }>(sql`select business_now() as at`);
    const bid = { bid_seq: 1, amount: '1.00', bidder_alias: aliasOf(1), placed_at: at.toISOString() };
    await db.exec(sql`insert into auction_bids (account_id, id, item_id, is_lot, bid_seq, amount_minor, alias_no, placed_at, chain)
      values (${theAccount}, ${newId()}, ${id}, false, 1, 100, 1, ${at}, ${nextLink('a'.repeat(64), bid)})`);
  });
}

/** With an invented dealer: what two dealers see of each other is tested in network.test.ts. */
async function fillNetwork(db: Db, { vehicle, word }: Marked, listing: string): Promise<void> {
  const stranger = newId();
  await db.exec(sql`insert into network_offers (account_id, id, thread_id, listing_id, vehicle_id, buyer_id, made_by, amount_minor, currency, message,
      expires_at, created_at, updated_at)
    values (${theAccount}, ${newId()}, ${newId()}, ${listing}, ${vehicle}, ${stranger}, 'buyer', 100, 'STG', ${word('offer')}, now() + interval '1 day', now(), now())`);
  await db.exec(sql`insert into trade_requests (account_id, id, requested_listing_id, requested_vehicle_id, requester_id, offered_vehicle_id, currency,
      message, expires_at, created_at, updated_at)
    values (${theAccount}, ${newId()}, ${listing}, ${vehicle}, ${stranger}, ${newId()}, 'STG', ${word('trade')}, now() + interval '1 day', now(), now())`);
}

/** A wallet that was topped up and paid for a boost, and the dealer's other records with the platform. */
async function fillWallet(db: Db, { vehicle, word }: Marked): Promise<void> {
  const [topup, order] = [newId(), newId()];
  const work = { db, now: new Date(), emit: () => {} };
  const loaded = await post(work, {
    type: 'Yükleme',
    amount: 500n,
    reference: { type: 'topup_request', id: topup },
    description: word('loaded'),
  });
  const charge = await post(work, {
    type: 'Boost',
    amount: -300n,
    reference: { type: 'boost_order', id: order },
    description: word('boost'),
  });
  await db.exec(sql`insert into wallet_topups (account_id, id, amount_minor, currency, method, reference, note, status, decision_note, decided_at,
      transaction_id, created_at, updated_at)
    values (${theAccount}, ${topup}, 500, 'TL', 'Havale/EFT', ${word('receipt')}, ${word('note')}, 'Onaylandı', ${word('granted')}, now(), ${loaded}, now(),
      now())`);
  await db.exec(sql`insert into boost_orders (account_id, id, listing_id, vehicle_id, package, kind, days, price_minor, currency, starts_at, ends_at, status,
      charge_transaction_id, created_at, updated_at)
    select ${theAccount}, ${order}, id, vehicle_id, ${word('pack')}, 'Acil', 7, 300, 'TL', '2020-01-01Z', '2020-01-08Z', 'Tamamlandı', ${charge}, now(), now()
    from listings where account_id = ${theAccount} and vehicle_id = ${vehicle} limit 1`);
  await db.exec(sql`insert into membership_invoices (account_id, id, invoice_no, period_start, period_end, amount_minor, tax_rate_minor, tax_amount_minor,
      total_minor, due_date, created_at, updated_at)
    values (${theAccount}, ${newId()}, ${word('no')}, '2020-01-01', '2020-12-31', 100, 2000, 20, 120, '2020-01-15', now(), now())`);
}
