// Who gets through the panel's door, declared once and by hand: what the code says of itself is no proof of it. A new row is
// refused by matrix.test.ts until it stands here.
import type { Role } from '../../src/domain/identity/roles.ts';

/** One letter and one place each; a dot is a refusal. */
export const KNOCKERS = {
  o: 'owner',
  d: 'developer',
  f: 'finance',
  s: 'sales',
  v: 'viewer',
  /** Signed in, without an account. */
  p: 'person',
  a: 'admin',
  /** An administrator who looks at the account. */
  l: 'look',
} as const satisfies Record<string, Role | 'person' | 'admin' | 'look'>;
export type Knocker = (typeof KNOCKERS)[keyof typeof KNOCKERS];

const read = (table: string): ReadonlyMap<string, ReadonlySet<Knocker>> =>
  new Map(
    table
      .trim()
      .split('\n')
      .map((line) => {
        const [letters, row] = [line.slice(0, 8), line.slice(9)];
        return [row, new Set([...letters].filter((letter) => letter !== '.').map((letter) => KNOCKERS[letter as 'o']))];
      }),
  );

/** The panel's own rows, below /panel/api/. */
export const PANEL_TABLE = read(`
odfsvpal GET session
odfsvpal POST session/account
......a. POST session/look
odfsvpal POST session/end-look
odfsvpal POST session/reauthenticate
odfsvpal GET sessions
odfsvpal DELETE sessions/{session_id}
odfsvpal POST sessions/sign-out-everywhere
odfsvpal PATCH me
odfsvpal POST me/password
odfsvpal POST me/totp
odfsvpal POST me/totp/confirm
odfsvpal DELETE me/totp
o......l GET settings
o....... PATCH settings
o......l GET members
o....... PATCH members/{member_id}
o....... POST members/{member_id}/password-reset
o....... DELETE members/{member_id}/totp
o......l GET invitations
o....... POST invitations
o....... DELETE invitations/{invitation_id}
odfsv..l GET roles
odfsv..l GET branches
o....... POST branches
o....... PATCH branches/{branch_id}
o....... POST branches/{branch_id}/main
o....... DELETE branches/{branch_id}
odfsv..l GET staff
o....... POST staff
o....... PATCH staff/{member_id}
o......l GET audit
o......l GET audit/subjects
odfsv..l GET key-setup
od.....l GET keys
od...... POST keys
od.....l GET keys/{key_id}
od...... PATCH keys/{key_id}
od...... PATCH keys/{key_id}/policy
od...... POST keys/{key_id}/rotate
od...... POST keys/{key_id}/revoke
od...... POST keys/{key_id}/limit-requests
od.....l GET keys/{key_id}/usage
od.....l GET keys/{key_id}/window
od.....l GET keys/{key_id}/row-use
od.....l GET keys/{key_id}/history
odfsv..l GET views
odfsv... POST views
odfsv... PATCH views/{view_id}
odfsv... DELETE views/{view_id}
od..v..l GET webhooks/{webhook_id}/deliveries/{delivery_id}/attempts
od..v..l GET webhooks/{webhook_id}/live
odfsv..l GET vehicles/counts
odfsv..l GET customers/counts
o.fsv..l GET sales/counts
o.fsv..l GET promissory-notes/counts
o.fsv..l GET sales/names
o.fs.... POST sales/preview
o.fs.... POST sales/{sale_id}/preview
o.fs.... POST sales/{sale_id}/cancel-preview
o.f..... POST collections/preview
o.f..... POST installments/{installment_id}/preview
o.fsv..l GET sales/{sale_id}/history
o.f..... GET sales/{sale_id}/cost
od..v..l GET import/runs/{run_id}/error-kinds
od.....l GET import/runs/{run_id}/errors.csv
o....... POST import/preview
odfsv..l GET customers/companies
o.fs...l GET customers/deleted
o.fs.... POST customers/{customer_id}/restore
o....... POST customers/{customer_id}/erase
o.fsv..l GET receivables/board
o.fsv..l GET receivables/aging
o.fsv..l GET receivables/calendar
o.fsv..l GET receivables/calendar/rows
o.fsv..l GET receivables/cash-flow
o.fsv..l GET receivables/open-deposits
o.fsv..l GET receivables/reminders
o.fsv..l GET receivables/reminders/sent
o.fsv..l GET sales/{sale_id}/reminders
o.fs.... POST installments/{installment_id}/reminders
o.fsv..l GET customers/{customer_id}/statement
o.fsv..l GET customers/{customer_id}/statement.csv
o.fs.... GET collections/{collection_id}/receipt.pdf
o.fs.... GET customers/{customer_id}/statement.pdf
o.fs.... GET statements.pdf
o.fs.... GET till/closings/{closing_id}/closing.pdf
o.fs.... POST sales/{sale_id}/notice
o.fs.... GET sales/{sale_id}/notice.pdf
o.fs.... GET promissory-notes/print.pdf
o.fs.... GET promissory-notes/slip.pdf
o.f..... POST promissory-notes/move
o.fsv..l GET till
o.fsv..l GET till/closings
o.f..... POST till/closings
o....... POST till/closings/{closing_id}/reopen
odfsvpal GET catalog
odfsvpal GET catalog/votes
odfsvpal GET catalog/{slug}
odfs.... POST catalog/{slug}/vote
odfs.... DELETE catalog/{slug}/vote
od..v..l GET logs
od..v..l GET logs/lines/{line}
od..v..l GET logs/timeline
od..v..l GET logs/keys
od..v..l GET logs/export
od..v..l GET logs/news
od..v..l GET logs/tail
od..v..l GET usage
odfsv..l GET overview
......al GET admin/home
od.....l GET notices
od...... POST notices/{notice_id}/read
......al GET admin/accounts
......al GET admin/accounts/{account_id}
......a. POST admin/accounts
......a. POST admin/accounts/{account_id}/owner-invitations
......a. POST admin/accounts/{account_id}/suspension
......a. DELETE admin/accounts/{account_id}/suspension
......a. POST admin/keys/{key_id}/authorizations
......al GET admin/limit-requests
......al GET admin/limit-rules
......a. POST admin/limit-requests/{request_id}/approve
......a. POST admin/limit-requests/{request_id}/refuse
......a. POST admin/keys/{key_id}/limit
......al GET admin/releases
......al GET admin/releases/{slug}
......a. POST admin/releases/{slug}
......al GET admin/audit
......al GET admin/audit/subjects
......al GET admin/administrators
......a. POST admin/administrators
......a. POST admin/administrators/{person_id}/link
......a. DELETE admin/people/{person_id}/totp
......a. DELETE admin/administrators/{person_id}
`);

/** The catalog's rows, below /panel/api/v1/. */
export const CATALOG_TABLE = read(`
odfsv..l GET account
odfsv..l GET account/branches
odfsv..l GET account/branches/{branch_id}
odfsv..l GET account/settings
odfsv..l GET account/capabilities
odfsv..l GET vehicles
o.fs.... POST vehicles
odfsv..l GET vehicles/{vehicle_id}
o.fs.... PATCH vehicles/{vehicle_id}
o.fs.... DELETE vehicles/{vehicle_id}
o.fs.... POST vehicles/{vehicle_id}/publish
o.fs.... POST vehicles/{vehicle_id}/unpublish
o.fs.... POST vehicles/{vehicle_id}/reserve
o.fs.... POST vehicles/{vehicle_id}/mark-sold
o.fs.... POST vehicles/{vehicle_id}/restore
odfsv..l GET vehicles/{vehicle_id}/history
odfsv..l GET vehicles/export
o.fs.... POST vehicles/bulk-create
o.fs.... POST vehicles/bulk-update
odfsv..l GET vehicles/{vehicle_id}/photos
o.fs.... POST vehicles/{vehicle_id}/photos
odfsv..l GET vehicles/{vehicle_id}/photos/{photo_id}
o.fs.... PATCH vehicles/{vehicle_id}/photos/{photo_id}
o.fs.... DELETE vehicles/{vehicle_id}/photos/{photo_id}
o.fs.... POST vehicles/{vehicle_id}/photos/reorder
odfsv..l GET vehicles/{vehicle_id}/videos
o.fs.... POST vehicles/{vehicle_id}/videos
odfsv..l GET vehicles/{vehicle_id}/videos/{video_id}
o.fs.... PATCH vehicles/{vehicle_id}/videos/{video_id}
o.fs.... DELETE vehicles/{vehicle_id}/videos/{video_id}
o.fs.... POST vehicles/{vehicle_id}/videos/reorder
odfsv..l GET customers
o.fs.... POST customers
odfsv..l GET customers/{customer_id}
o.fs.... PATCH customers/{customer_id}
o.fs.... DELETE customers/{customer_id}
odfsv..l GET customers/{customer_id}/sales
o.fsv..l GET customers/{customer_id}/collections
o.fsv..l GET customers/{customer_id}/documents
odfsv..l GET customers/{customer_id}/activity
o.fs.... POST customers/{customer_id}/activity
o.fsv..l GET customers/{customer_id}/guarantors
o.fs.... POST customers/{customer_id}/guarantors
o.fsv..l GET guarantors/{guarantor_id}
o.fs.... PATCH guarantors/{guarantor_id}
o.fs.... DELETE guarantors/{guarantor_id}
o.fsv..l GET sales
o.fs.... POST sales
o.fsv..l GET sales/{sale_id}
o.fs.... PATCH sales/{sale_id}
o.fs.... DELETE sales/{sale_id}
o.fsv..l GET sales/{sale_id}/installment-plan
o.fsv..l GET sales/{sale_id}/collections
o.fsv..l GET sales/{sale_id}/documents
o.fs.... POST sales/{sale_id}/cancel
o.fsv..l GET installment-plans
o.fsv..l GET installment-plans/{plan_id}
o.fsv..l GET installment-plans/{plan_id}/installments
o.f..... PATCH installments/{installment_id}
o.fsv..l GET installments/overdue
o.fsv..l GET installments/upcoming
o.f..... POST installments/{installment_id}/postpone
o.fsv..l GET customers/{customer_id}/installments
o.fsv..l GET collections
o.f..... POST collections
o.fsv..l GET collections/{collection_id}
o.f..... POST collections/{collection_id}/reverse
o.fsv..l GET collections/summary
o.fsv..l GET payment-promises
o.fs.... POST payment-promises
o.fsv..l GET payment-promises/{promise_id}
o.fs.... PATCH payment-promises/{promise_id}
o.fsv..l GET documents
o.fs.... POST documents
o.fsv..l GET documents/{document_id}
o.fs.... DELETE documents/{document_id}
o.fsv..l GET document-templates
o.fsv..l GET sales/{sale_id}/sale-documents
o.fs.... POST sales/{sale_id}/sale-documents/generate
o.fsv..l GET sale-documents/{document_id}/signed-copy
o.fsv..l GET sale-documents/{document_id}/events
o.fs.... POST sale-documents/{document_id}/send
o.fs.... POST sale-documents/{document_id}/void
o.fsv..l GET promissory-notes
o.f..... POST promissory-notes
o.fsv..l GET promissory-notes/{note_id}
o.f..... PATCH promissory-notes/{note_id}
o.fsv..l GET promissory-notes/{note_id}/document
o.fsv..l GET tasks
o.fs.... POST tasks
o.fsv..l GET tasks/{task_id}
o.fs.... PATCH tasks/{task_id}
o.fs.... DELETE tasks/{task_id}
o.fsv..l GET network-offers
o.fs.... POST network-offers
o.fsv..l GET network-offers/{offer_id}
o.fs.... POST network-offers/{offer_id}/accept
o.fs.... POST network-offers/{offer_id}/reject
o.fs.... POST network-offers/{offer_id}/counter
o.fs.... POST network-offers/{offer_id}/withdraw
o.fsv..l GET vehicles/{vehicle_id}/network-offers
o.fsv..l GET network-offers/received
o.fsv..l GET trade-requests
o.fs.... POST trade-requests
o.fsv..l GET trade-requests/{request_id}
o.fs.... POST trade-requests/{request_id}/accept
o.fs.... POST trade-requests/{request_id}/reject
o.fs.... DELETE trade-requests/{request_id}
o.fsv..l GET network-auctions
o.fsv..l GET network-auctions/{auction_id}
o.fsv..l GET network-auctions/{auction_id}/bids
o....... POST network-auctions/{auction_id}/bid
o.fs.... POST network-auctions
o....... POST network-auctions/{auction_id}/end
o.fsv..l GET network-auctions/{auction_id}/winner
o.fsv..l GET vehicles/{vehicle_id}/network-auction
o.fsv..l GET marketplace/listings
o.fsv..l GET marketplace/listings/{listing_id}
o.fs.... POST marketplace/listings
o.fs.... DELETE marketplace/listings/{listing_id}
o.fsv..l GET marketplace/listings/{listing_id}/offers
o.fs.... POST marketplace/listings/{listing_id}/offers/{offer_id}/accept
o.fs.... POST marketplace/listings/{listing_id}/offers/{offer_id}/reject
o.fsv..l GET marketplace/stats
o.fsv..l GET auction-requests
o.fs.... POST auction-requests
o.fsv..l GET auction-requests/{request_id}
o.fs.... PATCH auction-requests/{request_id}
o.fs.... DELETE auction-requests/{request_id}
o.fsv..l GET live-auctions
o.fsv..l GET live-auctions/{event_id}
o.fsv..l GET live-auctions/{event_id}/lots
o.fsv..l GET live-auctions/lots/{lot_id}
o....... POST live-auctions/lots/{lot_id}/start
o....... POST live-auctions/lots/{lot_id}/bid
o....... POST live-auctions/lots/{lot_id}/end
o.fsv..l GET membership
o.fsv..l GET membership/usage
o.fsv..l GET membership/invoices
o.f.v..l GET wallet
o.f.v..l GET wallet/transactions
o.f.v..l GET wallet/transactions/{transaction_id}
o.f..... POST wallet/topup-requests
o.f.v..l GET wallet/topup-requests/{request_id}
o.fsv..l GET boost-orders
o.fs.... POST boost-orders
o.fsv..l GET boost-orders/{order_id}
o.fs.... DELETE boost-orders/{order_id}
odfsv..l GET notifications
odfsv..l GET notifications/{notification_id}
odfs.... POST notifications/{notification_id}/read
odfs.... POST notifications/read-all
odfsv..l GET exchange-rates
odfsv..l GET exchange-rates/history
odfsv..l GET exchange-rates/{currency_pair}
o.fsv..l GET reports/sales-summary
o.fsv..l GET reports/collections-summary
o.fsv..l GET reports/inventory-aging
o.f..... GET reports/profit-loss
o.fsv..l GET reports/salesperson-performance
o.f..... GET reports/overdue-risk
o.fsv..l GET reports/marketplace-performance
o.fsv..l GET reports/custom
od..v..l GET import/connectors
o....... POST import/connectors
od..v..l GET import/connectors/{connector_id}
o....... PATCH import/connectors/{connector_id}
o....... DELETE import/connectors/{connector_id}
o....... POST import/connectors/{connector_id}/run
od..v..l GET import/runs
od..v..l GET import/runs/{run_id}
od..v..l GET import/runs/{run_id}/errors
od..v..l GET webhooks
od...... POST webhooks
od..v..l GET webhooks/{webhook_id}
od...... PATCH webhooks/{webhook_id}
od...... DELETE webhooks/{webhook_id}
o....... POST webhooks/{webhook_id}/rotate-secret
od...... POST webhooks/{webhook_id}/test
od..v..l GET webhooks/{webhook_id}/deliveries
od..v..l GET webhooks/{webhook_id}/deliveries/{delivery_id}
od...... POST webhooks/{webhook_id}/deliveries/{delivery_id}/retry
........ GET developer/usage
........ GET developer/request-logs
........ GET developer/rate-limit
`);
