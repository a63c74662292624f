-- Explains tables, views, functions and the columns whose meaning their names do not give. Comments only; migrations/schema.sql shows them.
-- Words that every comment uses:
--   data set     the records of one dealer: production, or an isolated sandbox. `account_id` of a dealer's table is the id of a data set;
--                production's is the id of the account itself.
--   …_minor      money in hundredths of its currency; percentages are stored in hundredths too.
--   …_encrypted  encrypted by the service; the database cannot read it.
--   statuses     are the Turkish words that the API shows.

-- Accounts, people and access -----------------------------------------------------------------------------------------------------

comment on table accounts is 'Dealers, with their settings and the limits of their plan. A limit that is null does not apply.';
comment on column accounts.status is 'Aktif, or Askıda (suspended: reads work, writes do not).';
comment on column accounts.is_demo is 'Belongs to the demonstration. Dealers of the demonstration and real dealers never see each other.';
comment on column accounts.rate_source is 'The central bank whose exchange rates apply.';
comment on column accounts.overdue_grace_days is 'Days after the due date before an installment counts as overdue.';
comment on column accounts.reminders is 'Rules for payment reminders, as JSON text: day relative to the due date, channel, active.';
comment on column accounts.dealer_network is 'Whether the dealer takes part in offers, swaps and auctions between dealers.';
comment on column accounts.paper_clauses is 'The dealer''s own clauses on documents, as JSON text by template.';
comment on column accounts.paper_logo is 'The logo as small image bytes, so that drawing a document needs no file store.';
comment on column accounts.keys_reviewed_at is 'When an owner confirmed the list of keys that hold more than their makers may use. Null: not yet reviewed.';

comment on table data_sets is 'A dealer''s production data and, where it exists, its sandbox. Every write of a data set locks its row last and raises its version.';
comment on column data_sets.version is 'Rises with every write; caches are valid for one version.';
comment on column data_sets.sequence is 'Number of the newest event of the data set.';
comment on column data_sets.next_due_at is 'When the next timed transition is due, for example the end of a reservation. Null: none.';
comment on column data_sets.written_in is 'Transaction of the last write. Nodes find changed data sets by it.';
comment on column data_sets.stamped_at is 'The newest updated_at that was given to a record, so that updated_at follows the order of commits.';

comment on table branches is 'Branches of a dealer. Exactly one is the main branch.';
comment on column branches.closed_through is 'Last day whose till is closed. No payment can be recorded on or before this day.';
comment on table people is 'People who sign in to the panel. A person can work for several dealers (members).';
comment on column people.is_admin is 'Administrator of the platform.';
comment on column people.admin_made_by is 'Person who held the link by which this administrator joined; null: made on the command line. See may_be_one_person.';
comment on column people.disabled_by is 'Administrator who disabled this administrator in the panel. Such an administrator still counts for the rule of two.';
comment on column people.totp_last_step is 'Last time step whose code was used, so that a code works once.';
comment on column people.recovery_digests is 'Hashes of unused recovery codes of the second factor.';
comment on table members is 'Staff of a dealer and their roles. person_id is null for staff who do not sign in.';
comment on table invitations is 'Invitations to join a dealer. Only the hash of the link is stored.';
comment on column invitations.member_id is 'The member that the invited person becomes, if staff without sign-in is invited.';
comment on column invitations.decision_id is 'Decision of two administrators, or of an administrator and an owner, for a new owner.';
comment on table password_resets is 'Links for setting a password. Only the hash is stored.';
comment on column password_resets.made_by is 'Person who created the link for someone else; null: the person asked for it.';
comment on column password_resets.made_as_owner_of is 'Account whose owner created the link. The link ends when that right ends.';
comment on table sessions is 'Sign-ins to the panel. The cookie holds a random id of which only the hash is stored.';
comment on column sessions.look is 'An administrator views a dealer''s account: read only.';
comment on column sessions.signed_in_at is 'Null between the password and the code of the second factor.';
comment on column sessions.reauthenticated_at is 'When the password was last entered; sensitive actions need a recent one.';
comment on column sessions.seat_event_id is 'Live event that the person has joined to bid; a recent password at that time counts while they stay.';
comment on table sign_in_failures is 'Failed sign-ins by network address, for the limit of tries per address.';
comment on table sign_in_locks is 'Failed tries per name, device or session since the last success.';
comment on column sign_in_locks.subject is 'Hash of what is counted, so that known and unknown names are treated alike.';
comment on table saved_views is 'Filters that a person saved under a name, per screen.';
comment on table notices is 'Banners of the panel.';
comment on column notices.person_id is 'Person who sees the banner; null: everybody of the account.';
comment on table audit_log is 'Who did what, from where. Rows are only added.';
comment on column audit_log.outcome is 'done, or denied.';
comment on column audit_log.subject is 'First part of the action, for example keys of keys.revoked.';
comment on table admin_decisions is 'Actions of administrators that move money or raise rights. Above a threshold a second administrator confirms them, and the tables that the action changes refuse the change without a confirmed decision. A decision is used once.';
comment on column admin_decisions.dealer_id is 'The dealer whom the decision concerns.';
comment on column admin_decisions.subject is 'The invoice or key that the decision is about; null for a wallet correction.';
comment on column admin_decisions.details is 'What exactly is decided; must match when the decision is used.';
comment on column admin_decisions.alone is 'One administrator was enough: FOUR_EYES is off, there is no other administrator, or the command line was used.';

-- API keys, requests and usage ----------------------------------------------------------------------------------------------------

comment on table api_keys is 'API keys of dealers, with their limits and allowed addresses.';
comment on column api_keys.authorizations is 'Special authorizations that bidding and operating auctions need besides the endpoint.';
comment on column api_keys.decision_id is 'Decision by which the key got its newest special authorization.';
comment on table key_secrets is 'Secrets of a key: one, or two during a rotation. Only a hash is stored.';
comment on column key_secrets.expires_at is 'When the older secret of a rotation stops working.';
comment on table key_endpoints is 'Endpoints that a key may call, one row each.';
comment on table key_row_requests is 'Endpoints that the maker of a key may not use in the panel: an owner confirms them before the key gets them.';
comment on table limit_requests is 'Requests for a higher limit per minute of a key. Above 600 two administrators approve the same number.';
comment on column limit_requests.first_per_minute is 'Number that the first administrator approved.';
comment on column limit_requests.alone is 'One administrator was enough: FOUR_EYES is off, or there is no other administrator.';
comment on table releases is 'Status of endpoints that differs from the one they ship with, or confirms it.';
comment on table endpoint_votes is 'Votes for endpoints that are not live yet: one per dealer and endpoint.';
comment on table request_logs is 'API requests, one partition per day (see keep_request_log).';
comment on column request_logs.refusal is 'Which field broke which rule. Never a value.';
comment on column request_logs.query_names is 'Names of the query parameters. Never a value.';
comment on table usage_calls is 'Requests per key, hour, endpoint and error code. Usage is read from here, not from the log.';
comment on column usage_calls.not_stored is 'Refused requests that were counted but have no line in request_logs.';
comment on table usage_latency is 'Latency per key and hour as a histogram.';
comment on column usage_latency.bucket is 'Bucket b holds durations up to 1.1^b hundredths of a millisecond.';
comment on table usage_secrets is 'Use of each secret of a key, so that a rotation shows whether the old one is still used.';
comment on table idempotency is 'First reply to an Idempotency-Key. Inserted in the same transaction as the effect, so no crash leaves a key in progress.';
comment on column idempotency.fingerprint is 'Hash of the request, to refuse another request under the same key.';

-- Events, webhooks and mail -------------------------------------------------------------------------------------------------------

comment on table events is 'Events of a data set, written in the transaction of the change (outbox). payload holds exactly the bytes that are signed and sent.';
comment on column events.sequence is 'Number within the data set, without gaps. Null for test.ping.';
comment on table webhooks is 'Addresses that receive events of a dealer.';
comment on column webhooks.events is 'Event kinds, groups like sale.*, or * for all.';
comment on column webhooks.previous_secret_encrypted is 'Secret before the last rotation, valid until previous_valid_until.';
comment on column webhooks.stopped_because is 'Why the service stopped it: failing, gone (HTTP 410) or secret_unreadable.';
comment on table webhook_deliveries is 'One event for one webhook. A worker claims it until claimed_until; the claim of a worker that died expires.';
comment on column webhook_deliveries.once_more is 'Sent again on request: one attempt, without the schedule of retries.';
comment on table webhook_attempts is 'The last attempts of each delivery.';
comment on table mails is 'Mail queue. The text is deleted once it is sent.';
comment on column mails.data_set is 'Data set of a payment reminder, whose text is written when it is sent; null for other mail.';
comment on column mails.reminder is 'Which installment and day the reminder is about.';
comment on column mails.turn_of is 'Account whose turn the mail uses. Without it and without data_set it is mail of the platform, which goes first.';
comment on table mail_budgets is 'Mails that an account queued in the minute that began at since (real time).';
comment on table notifications is 'Notifications of a dealer.';

-- Stock ---------------------------------------------------------------------------------------------------------------------------

comment on table vehicles is 'Cars of a dealer.';
comment on column vehicles.status is 'Stokta (in stock), Rezerve (reserved), Auction''da (in an auction) or Satıldı (sold).';
comment on column vehicles.sold_via is 'Satış: sold by a sale of this service; Harici: sold elsewhere.';
comment on column vehicles.list_json is 'The car as lists show it, stored when it is written.';
comment on column vehicles.search is 'Text that the search looks through, without Turkish marks (fold_tr).';
comment on column vehicles.condition is 'State of the body, as JSON text.';
comment on column vehicles.chassis_no is 'Written by the dealer and never returned by the API, like engine_no and the columns of cost.';
comment on table vehicle_history is 'Changes of a car. Rows are only added.';
comment on column vehicle_history.customer_id is 'Customer for whom the car was reserved; their words are removed when they are erased.';
comment on table vehicle_photos is 'Photos of a car: a link, or a stored file with its thumbnail. Position 1 is the cover.';
comment on table vehicle_videos is 'Links to videos of a car.';
comment on table stored_files is 'Files in the file store. A row is pending before the file is stored, kept once a record uses it, and gone when the record is deleted.';
comment on column stored_files.is_sensitive is 'Contains personal data: every download is audited and no cache keeps it.';
comment on table reservations is 'Reservations of a car, by a customer or by an agreement with another dealer. A car has at most one active one.';
comment on column reservations.counterparty_id is 'The other dealer of an agreement.';
comment on column reservations.source_id is 'The offer, swap, auction or lot that made the reservation.';

-- Customers and tasks -------------------------------------------------------------------------------------------------------------

comment on table customers is 'Customers of a dealer: people (Bireysel) and companies (Kurumsal).';
comment on column customers.id_no_index is 'Keyed hash of the identity number, to find it without decrypting.';
comment on column customers.notice_given_on is 'Day on which the customer received the privacy notice (KVKK).';
comment on column customers.erased_at is 'When the personal data was erased. The row stays for the books.';
comment on column customers.list_json is 'The customer as lists show it, stored when it is written.';
comment on table guarantors is 'Guarantors (kefil) of a customer.';
comment on table customer_activity is 'Calls, visits, messages and notes about a customer, and entries that the service writes.';
comment on table tasks is 'Tasks of a dealer''s staff.';

-- Sales and money -----------------------------------------------------------------------------------------------------------------

comment on table sales is 'Sales. The amounts of a sale, its installments and its collections are compared at COMMIT (require_sale_sums).';
comment on column sales.status is 'Aktif (money is open), Tamamlandı (paid in full) or İptal (cancelled).';
comment on column sales.plan_id is 'Identifies the current payment plan; installments of the sale carry the same id.';
comment on column sales.payment_type is 'Peşin (paid at once) or Taksitli (installments).';
comment on column sales.total_receivable_minor is 'What the customer owes in all: price less trade-in plus finance charge.';
comment on column sales.financed_amount_minor is 'What is left for installments after the down payment.';
comment on column sales.collected_amount_minor is 'Money received less money refunded.';
comment on column sales.discounted_amount_minor is 'Amount that the dealer waived.';
comment on column sales.retained_amount_minor is 'Of a cancelled sale: what the dealer keeps, with or without the traded-in car.';
comment on column sales.late_rate_yearly_minor is 'Late interest per year in hundredths of a percent; null: none.';
comment on column sales.round_to is 'Installments are rounded to this many units of the currency.';
comment on column sales.is_first_due_given is 'The first due date was given and not derived from the sale date.';
comment on column sales.currency_exemption is 'Why the sale may be in a foreign currency.';
comment on column sales.title_status is 'Transfer of the title (noter): Bekliyor or Yapıldı.';
comment on column sales.legal_stage is 'Yok, İhtar (formal notice), Avukatta (with a lawyer) or İcrada (enforcement).';
comment on column sales.imported_as is 'Hash of the line of the old books from which the sale was imported.';
comment on table installments is 'Rows of a payment plan. seq 0 is the down payment (Peşinat).';
comment on column installments.status is 'Bekliyor (unpaid), Kısmi Ödendi (partly paid), Ödendi (paid), Yapılandırıldı (replaced by a restructuring) or İptal.';
comment on column installments.due_day is 'Day of the month to which postponing by months goes.';
comment on column installments.is_due_soon_told is 'The event about the coming due date was sent for the current date.';
comment on column installments.is_overdue_told is 'The event about the missed due date was sent for the current date.';
comment on table collections is 'Money received, returned or waived. A recorded row does not change; it is reversed by another row.';
comment on column collections.type is 'Tahsilat (payment), Kapora (deposit), Mahsup (set-off of a deposit), İndirim (discount), Ters Kayıt (reversal) or İade (refund).';
comment on column collections.number is 'Order of recording within the data set.';
comment on column collections.applied_amount_minor is 'Amount that counts on the sale, in the currency of the sale.';
comment on column collections.paired_id is 'The other row of a set-off: the deposit that leaves and the payment that it becomes.';
comment on column collections.deposit_status is 'Of a deposit: Açık, Mahsup Edildi (became a payment), İade Edildi (returned) or Gelir (kept as income).';
comment on column collections.reverses_id is 'The row that this one reverses.';
comment on column collections.reversed_by_id is 'The row that reverses this one.';
comment on table collection_allocations is 'Which installments a collection pays, in which order.';
comment on column collection_allocations.is_discount is 'Waived, not paid.';
comment on table payment_promises is 'Customers'' promises to pay by a day: Bekliyor, Tutuldu (kept), Tutulmadı (broken) or İptal.';
comment on table promissory_notes is 'Promissory notes (senet): at most one live note per installment. What is printed on a note does not change.';
comment on column promissory_notes.status is 'Where the note is: Portföyde (with the dealer), Bankada, Teminatta (pledged), Devredildi (transferred), Protestolu, Avukatta, Tahsil Edildi (paid), İade Edildi (handed back) or İptal.';
comment on column promissory_notes.previous_status is 'Where the note was before it was paid; it returns there if the payment is reversed.';
comment on column promissory_notes.paid_at_issue_minor is 'What the installment had received before the note was issued.';
comment on column promissory_notes.drawn_from is 'Hash of the content of the stored file; the note is drawn again when the content differs.';
comment on column promissory_notes.live_installment_id is 'The installment while the note is live, otherwise null; unique, so an installment has one live note.';
comment on table sent_reminders is 'Payment reminders that were sent: one per installment, day and recipient.';
comment on column sent_reminders.day is 'Days after the due date; negative before it.';
comment on table till_closings is 'Daily closing of a branch''s till: expected and counted amounts by currency and method.';
comment on table number_series is 'Last number of each series and year: S sales, T receipts, N promissory notes.';
comment on table exchange_rates is 'Central bank rates, one row per currency and day, always against the lira.';
comment on table rate_looks is 'When each central bank is asked next, and how the last time went.';
comment on column rate_looks.filled_to is 'Missing bulletins up to this day have been asked for.';
comment on table rate_news is 'New or corrected bulletins on their way to the accounts as events.';
comment on column rate_news.told_up_to is 'Data set up to which the event has been written, in the order of ids.';
comment on table report_schedules is 'Reports that are mailed every week or month.';
comment on column report_schedules.sent_on is 'Day of the last report in the dealer''s time, or of creation; the next one is counted from it.';

-- Documents -----------------------------------------------------------------------------------------------------------------------

comment on table documents is 'Uploaded files (Yüklendi) and documents generated for a sale (Üretildi).';
comment on column documents.status is 'Of a generated document: Taslak (draft), Gönderildi (sent), Görüntülendi (viewed), İmzalandı (signed), Reddedildi (declined), Süresi Doldu (expired) or İptal (void).';
comment on column documents.signature is 'Islak: signed by hand only; İkisi: by hand or by link.';
comment on column documents.signs_document_id is 'The generated document of which this upload is the signed scan.';
comment on column documents.paper_encrypted is 'What is printed on the document; the signed copy is drawn from it.';
comment on column documents.superseded_at is 'When a restructuring replaced the payment plan that the signed document prints.';
comment on column documents.topup_id is 'The top-up request whose receipt (Dekont) this is.';
comment on table document_events is 'What happened to a generated document. Rows are only added.';
comment on table document_recipients is 'Who signs a document, and their decision with its evidence. The columns for codes and sessions are unused since 0074.';
comment on column document_recipients.mails_made is 'Mails since mails_from, for the limit per recipient and day.';
comment on table signing_codes is 'One-time codes of signing links: how and where each was delivered, which staff saw it, and the session it opened. The evidence page is printed from these rows.';
comment on column signing_codes.address is 'Masked address of delivery; null if the code was shown to staff.';
comment on column signing_codes.seen_by is 'Staff who saw the code in the panel: person_id, name, at.';
comment on table signing_links is 'Links by which recipients sign. Only the hash is stored.';
comment on table paper_verifications is 'Codes printed on documents, by which anybody can check that a document is genuine. No personal data.';
comment on column paper_verifications.variant is 'Distinguishes several files of one record, for example sizes of a receipt.';
comment on column paper_verifications.sha256 is 'Hash of the file as it was last drawn.';

-- Marketplace and dealer network --------------------------------------------------------------------------------------------------

comment on table listings is 'Cars on the marketplace. Kapandı (closed) is final; publishing again makes a new listing.';
comment on column listings.live is 'Times at which the listing was Yayında, maintained by keep_live_times.';
comment on table listing_visits is 'Views, favorites and contacts of a listing per day in the dealer''s time.';
comment on column listing_visits.slot is 'Counters are spread over several rows per day, so that visitors do not wait for each other; the figure is their sum.';
comment on table marketplace_offers is 'Offers of consumers for a listing.';
comment on table network_offers is 'Offers between dealers. The row belongs to the seller; the buyer can read it.';
comment on column network_offers.thread_id is 'One buyer and one listing: a chain of offers and counter-offers of which only the last can be open.';
comment on table trade_requests is 'Swaps of cars between dealers. The row belongs to the recipient; the requester can read it.';
comment on column trade_requests.is_requested_sold is 'The requested car has been marked as sold, which completes one half of the swap.';
comment on table boost_orders is 'Paid promotion of a listing: Vitrin, Üst Sıra or Acil.';

-- Auctions ------------------------------------------------------------------------------------------------------------------------

comment on table network_auctions is 'Auctions between dealers. The row belongs to the seller; others read it through network_auction_seen.';
comment on column network_auctions.status is 'Planlandı (scheduled), Canlı (running), Bitti (ended) or İptal.';
comment on column network_auctions.result is 'Of an ended auction: Satıldı (sold), Satılmadı (not sold) or Bozuldu (the sale fell through).';
comment on column network_auctions.ends_at is 'A bid in the last 120 seconds moves it to 120 seconds after the bid.';
comment on column network_auctions.leader_id is 'Dealer with the highest bid.';
comment on column network_auctions.chain_head is 'Link of the newest bid in the chain of hashes; before the first bid the hash of the auction''s id.';
comment on table live_events is 'Live auctions with an operator. The row belongs to the operator.';
comment on table live_lots is 'Lots of live events. The row belongs to the seller; others read it through live_lot_seen.';
comment on column live_lots.status is 'Sırada (waiting), Açık (open for bids), Satıldı, Satılmadı, Çekildi (withdrawn) or Bozuldu (the sale fell through).';
comment on column live_lots.call_no is 'Calls of the auctioneer before the hammer: 0, 1 or 2.';
comment on column live_lots.call_seq is 'Number of the bid that was called; a later bid ends the call.';
comment on column live_lots.chain_head is 'Link of the newest bid in the chain of hashes; before the first bid the hash of the lot''s id.';
comment on table auction_requests is 'Requests of dealers to sell a car in a live event. Approval makes a lot.';
comment on table auction_bids is 'Accepted bids on auctions and lots. Rows are only added; take_bid checks each.';
comment on column auction_bids.item_id is 'The auction or, with is_lot, the lot.';
comment on column auction_bids.chain is 'SHA-256 over the previous link, number, amount, name and time, so that anybody can check the log of bids.';
comment on table auction_bidders is 'Who has bid on an auction or lot: number (Katılımcı n) and highest bid.';

-- Membership and wallet -----------------------------------------------------------------------------------------------------------

comment on table memberships is 'Plan of a dealer: Deneme (trial), Aktif, Gecikmiş (overdue) or İptal.';
comment on column memberships.limit_told_on is 'Day on which the event membership.limit_reached was last sent.';
comment on table membership_invoices is 'Invoices of the platform to a dealer.';
comment on column membership_invoices.transaction_id is 'Payment from the wallet; null if it was paid outside.';
comment on table wallets is 'Prepaid balance of a dealer; never negative.';
comment on column wallets.last_number is 'Number of the newest transaction; numbers have no gaps.';
comment on table wallet_transactions is 'Movements of a wallet as the dealer sees them. Each has balanced entries in ledger_entries.';
comment on table wallet_topups is 'Requests to load money into the wallet. Above 50,000.00 TL two administrators approve.';
comment on column wallet_topups.first_by is 'First of the two administrators.';
comment on table ledger_accounts is 'Accounts of the double-entry books: one per wallet, with the id of its data set, and those of the platform.';
comment on table ledger_entries is 'Debits and credits of wallet transactions. Rows are only added and balance per transaction.';
comment on table ledger_proofs is 'Result of the last check of the books.';
comment on column ledger_proofs.found is 'Differences, in words.';

-- Imports, jobs and the deployment ------------------------------------------------------------------------------------------------

comment on table import_connectors is 'Feeds from which a dealer imports cars or customers.';
comment on column import_connectors.config is 'Mapping of fields and format, in the order in which it was written.';
comment on column import_connectors.key_field is 'Field by which a row of the feed finds its record.';
comment on table import_runs is 'Runs of a connector. A worker claims a run; finished rows are committed, so another worker can continue.';
comment on column import_runs.content_encoding is 'Encoding of the stored content: utf-8, or as the connector says; null while it has not been fetched.';
comment on column import_runs.last_row is 'Last row that was processed.';
comment on column import_runs.errors_kept is 'Row errors that are stored; further ones are only counted.';
comment on table import_contents is 'Content of a run in pieces, deleted when the run ends.';
comment on table import_row_errors is 'Rows of a run that were refused, and why.';
comment on column import_row_errors.value is 'The refused value, for the person who sent the file; never of a confidential field.';
comment on table transition_failures is 'Timed transitions that failed, with the next try. Requests skip these records, so no request waits for them or answers with their error.';
comment on column transition_failures.record_id is 'The record, or the id of the data set if the due records could not be read.';
comment on column transition_failures.next_try_at is 'Business time, like the transition.';
comment on table deployment is 'One row about this installation.';
comment on column deployment.demo is 'Whether demonstration data is loaded; null until the first start has decided.';
comment on table test_clock is 'One row: difference between business time and real time. 0 except in rehearsals with TEST_CLOCK.';
comment on column test_clock.started_at is 'Value of TEST_CLOCK that set the clock; the next start with the same value leaves the clock as it is.';

-- Views ---------------------------------------------------------------------------------------------------------------------------

comment on view dealer_agreements is 'Pairs of dealers with an agreement that holds or was completed. They may see each other''s phone number.';
comment on view dealer_parties is 'Other dealers as the current account may see them.';
comment on view network_dealers is 'Dealers with whom the current account can do business: both take part in the network, the other is not suspended.';
comment on view vehicle_cards is 'The part of a car that other dealers may see. Not granted to the service; shown_cards and network_listings choose the cars.';
comment on view network_listings is 'Published cars of other dealers in the network.';
comment on view shown_cards is 'Cards of the current account''s own cars and of cars in its offers and swaps.';

-- Functions: the current dealer, clock and text -----------------------------------------------------------------------------------

comment on function current_account is 'Data set of the transaction, set by the service as app.account_id. Row-level security compares every row with it.';
comment on function raise_wall is 'Adds row-level security to a new table: galeri_app sees the rows of current_account(), the owner all.';
comment on function business_now is 'Current business time by the clock of the database, in milliseconds. Differs from real time only in rehearsals (test_clock).';
comment on function later_stamp is 'Returns the proposed updated_at if it is later than the last one; otherwise the write is repeated, so that updated_at follows the order of commits.';
comment on function stamp_data_set is 'Records the transaction of a write in data_sets.written_in, so that nodes notice the write.';
comment on function money_text is 'Minor units as decimal text with two digits.';
comment on function utc_text is 'A time as the API writes it: UTC with milliseconds and Z.';
comment on function fold_tr is 'Folds text for search: lower case, without Turkish and other European marks.';
comment on function vehicle_search is 'Text by which a car is searched: brand, model, trim, plate with and without spaces.';
comment on function customer_search is 'Text by which a customer is searched: names, company, phone, mail.';
comment on function vehicle_json is 'A car as lists show it. Stored in vehicles.list_json, so that lists need not build it.';
comment on function customer_json is 'A customer as lists show it. Stored in customers.list_json.';
comment on function tell_nodes is 'Notifies every node of a changed key, account, release or data set, so that its caches drop it.';
comment on function tell_delivery is 'Notifies the workers that a webhook delivery is due or has changed. A hint only: workers also look themselves.';
comment on function keep_request_log is 'Creates the partitions of request_logs for the coming days and drops those older than the retention.';

-- Functions: what a row may hold --------------------------------------------------------------------------------------------------

comment on function vehicle_is_valid is 'What a row of vehicles may hold: lengths, ranges and the allowed words.';
comment on function sales_valid is 'What a row of sales may hold; refuses with the name of the rule. Sums over installments are checked by require_sale_sums.';
comment on function installments_valid is 'What a row of installments may hold: the status follows from paid and waived amounts.';
comment on function collections_valid is 'What a row of collections may hold: signs, rates, set-offs, deposits and reversals by type.';
comment on function collection_allocations_valid is 'What a row of collection_allocations may hold.';
comment on function network_auctions_valid is 'What a row of network_auctions may hold: times, prices, result, and that the seller does not lead.';
comment on function live_lots_valid is 'What a row of live_lots may hold: status and times, prices, and that neither seller nor operator leads.';
comment on function auction_bids_valid is 'What a row of auction_bids may hold. The rules of bidding are checked by take_bid.';

-- Functions: sales and money ------------------------------------------------------------------------------------------------------

comment on function require_sale_sums is 'At COMMIT: the installments of a sale add up to its amounts, and refunds to what was returned.';
comment on function require_allocated is 'At COMMIT: allocations add up to their collection; a reversal is the exact negative of its original; the two rows of a set-off name each other.';
comment on function require_row_allocations is 'At COMMIT: what an installment says is paid or waived is what was allocated to it.';
comment on function require_note_of_row is 'At COMMIT: a live promissory note is paid exactly when its installment is, and its installment is neither cancelled nor restructured.';
comment on function require_closed_days is 'At COMMIT: a branch is closed through the last day that was closed and not reopened.';
comment on function check_sale is 'Runs require_sale_sums for a sale that was written.';
comment on function check_plan is 'Runs require_sale_sums for the sale of a changed installment, unless the same transaction also wrote the sale.';
comment on function check_row is 'Runs require_row_allocations for a changed installment.';
comment on function check_row_note is 'Runs require_note_of_row when the status of an installment changes.';
comment on function check_note is 'Runs require_note_of_row when a promissory note is written.';
comment on function check_notes_of_cancelled is 'At COMMIT: a cancelled sale has no live promissory note.';
comment on function check_collection is 'Runs require_allocated for a collection, and require_sale_sums for a refund.';
comment on function check_allocation is 'Checks a new allocation: it pays an installment of the sale that was paid, and the sums hold.';
comment on function check_deposits is 'At COMMIT: deposits of a customer for a car that were returned or became a payment are matched by the rows that record it.';
comment on function check_branch_days is 'Runs require_closed_days for a branch.';
comment on function check_closing is 'Runs require_closed_days for a till closing.';
comment on function keep_collection is 'A reversed collection does not change, and a deposit ends once, unless the payment that it became is reversed.';
comment on function keep_closing is 'A reopened day does not change.';
comment on function keep_note is 'Allowed moves of a promissory note; what is printed on it stays.';
comment on function new_note_is_of_its_row is 'A new promissory note has the open amount and due date of its installment.';
comment on function new_row_is_unpaid is 'A new installment is unpaid.';
comment on function require_open_day is 'Money cannot be recorded on a day whose till is closed. Locks the branch, so that the day cannot be closed at the same time.';

-- Functions: wallet, boosts and decisions of two administrators -------------------------------------------------------------------

comment on function open_wallet is 'Gives every new data set a membership, a wallet and a ledger account.';
comment on function require_balanced is 'At COMMIT: the entries of a wallet transaction balance, and the wallet gets exactly the amount that the dealer sees.';
comment on function check_entry is 'Runs require_balanced for a new ledger entry.';
comment on function check_transaction is 'At COMMIT: a wallet transaction balances and continues the balance of the one before, without a gap.';
comment on function check_wallet is 'At COMMIT: a wallet holds what its newest transaction says.';
comment on function keep_invoice is 'A paid or cancelled invoice does not change.';
comment on function keep_decided is 'A decided top-up does not change.';
comment on function keep_boost_order is 'Allowed moves of a boost: it starts, ends or is cancelled before it starts.';
comment on function require_free_span is 'No two boosts of the same kind cover the same time on one listing. Locks the listing, so that two orders are checked one after the other.';
comment on function may_be_one_person is 'Whether two administrators could be the same person: equal, one made the other, or both were made by the same one.';
comment on function has_two_administrators is 'Whether there is more than one administrator. One whom another administrator disabled still counts.';
comment on function check_admin_decision is 'A decision that has ended does not change; the second person is another one and has the right to confirm.';
comment on function spend_decision is 'Uses a confirmed decision once, for exactly what it was made for.';
comment on function require_correction_decision is 'Wallet corrections above 50,000.00 TL in 24 hours need a decision of two administrators.';
comment on function require_settlement_decision is 'Settling an invoice above 50,000.00 TL needs a decision of two administrators.';
comment on function require_topup_second is 'A top-up above 50,000.00 TL needs two administrators who cannot be one person.';
comment on function require_authorization_decision is 'A key gets a special authorization only by a decision of two administrators.';
comment on function require_second_administrator is 'A limit above 600 per minute needs two administrators who cannot be one person.';
comment on function require_owner_decision is 'A new owner needs the consent of an owner or two administrators; only the first owner of a dealer does not.';

-- Functions: people and links -----------------------------------------------------------------------------------------------------

comment on function end_links_of_account is 'Suspending a dealer ends its open invitations and the password links that its owners created.';
comment on function end_links_of_member is 'Changing a member ends the links that depended on the old role or person.';
comment on function end_links_of_person is 'Changing a person''s address, password or rights ends their open links and invitations.';
comment on function keep_main_branch is 'At COMMIT: a dealer has a main branch.';

-- Functions: documents and listings -----------------------------------------------------------------------------------------------

comment on function keep_document is 'What a document is does not change; signed and void are final; a sent document never becomes a draft again.';
comment on function keep_decision is 'A recipient decides once.';
comment on function keep_live_times is 'Maintains listings.live, the times at which a listing was published; a closed listing stays closed.';
comment on function require_offer_move is 'Allowed moves of a consumer''s offer.';

-- Functions: auctions -------------------------------------------------------------------------------------------------------------

comment on function dealers_meet is 'Whether a dealer belongs to the same world as the other side: demonstration or real.';
comment on function party_of is 'Another dealer as the API shows it: name and city, with the phone number for the other side of an agreement.';
comment on function card_of is 'A car of another dealer as the API shows it (vehicle_cards), as JSON.';
comment on function car_named is 'Year, brand and model of a car, for administrators: the platform''s role cannot read vehicles.';
comment on function role_in is 'Role of the current account in an auction: seller, bidder or viewer.';
comment on function lock_bidding is 'First step of a bid: locks the auction or lot and returns its state, the bidder''s number and the time of the bid. No row: the caller may not see it.';
comment on function take_bid is 'Second step of a bid, trigger of auction_bids: refuses a bid that breaks a rule (auction_bids_rules), then makes it the highest and moves the end of an auction if needed.';
comment on function tell_bid is 'Last step of a bid: writes events, webhook deliveries and the notification of the former leader, for all sides in one statement.';
comment on function bidders_of is 'Dealers who have bid on an auction or lot.';
comment on function bids_seen is 'Bids on an auction or lot, newest first, without names; after the end the seller sees the winner.';
comment on function network_auction_seen is 'An auction as the current account may see it: the reserve price is for the seller, names are for the two sides after the end.';
comment on function network_auctions_page is 'Which auctions a page shows: running ones by their end, then scheduled ones, then ended ones; a walk (cursor) goes by creation.';
comment on function live_event_seen is 'A live event as the current account may see it, with its number of lots.';
comment on function live_events_page is 'Which live events a page shows: running, scheduled, then ended; a walk (cursor) goes by creation.';
comment on function live_lot_seen is 'A lot as the current account may see it: the reserve price is for seller and operator, names are for the two sides after the hammer.';
comment on function live_lots_page is 'Which lots of a live event a page shows, by lot number; a walk (cursor) goes by creation.';
comment on function lots_of_event is 'Lots of a live event with their sellers, for the operator''s actions.';
comment on function keeper_of_event is 'Operator and status of a live event.';
comment on function keeper_of_lot is 'Seller, operator, event and car of a lot.';
comment on function sides_of_event is 'Everybody concerned by a live event: its operator, the sellers of its lots and all bidders.';
comment on function late_sellers is 'Sellers whose auctions are past their start or end but not yet moved there; one auction if it is given.';
comment on function check_auction_move is 'Allowed moves of an auction.';
comment on function check_event_move is 'Allowed moves of a live event.';
comment on function check_lot_move is 'Allowed moves of a lot; its number is fixed once it is open.';
comment on function check_request_move is 'A decided request for a live event does not change.';
