// Listings on the public consumer site and consumers' offers on them. Another dealer's listing is seen only as its public card:
// no plate, vehicle id or statistics.
import { ListingFilters, listListings } from '../domain/marketplace/listing-list.ts';
import { closeListing, NEW_LISTING_FIELDS, openListingOf } from '../domain/marketplace/listing-writes.ts';
import { listOffers, MarketplaceOffer, REJECT_FIELDS } from '../domain/marketplace/marketplace-offer.ts';
import { acceptOffer, rejectOffer } from '../domain/marketplace/marketplace-offer-writes.ts';
import { MARKETPLACE_OFFER_STATUSES } from '../domain/marketplace/marketplace-states.ts';
import { MarketplaceStats, readMarketplaceStats } from '../domain/marketplace/marketplace-stats.ts';
import { readShownListing, ShownListing } from '../domain/marketplace/network-card.ts';
import { requireCapability } from '../domain/parties/capability.ts';
import { createBody } from '../domain/records/body.ts';
import { Listing } from '../domain/stock/listing-view.ts';
import { del, get, post, resource } from '../kit/endpoint.ts';
import { momentParam, oneOfParam } from '../kit/params.ts';

export const marketplace = resource('Marketplace', 'Pazar yeri', [
  get('marketplace/listings', 'marketplace:read', 'read', 'Yakında', ['List marketplace listings', 'İlanları listele'], {
    about: [
      'Returns your listings with their statistics, newest first; empty without the marketplace capability. `scope=network` returns the published listings of other dealers instead, for accounts of the dealer network. Price and currency are those of the vehicle.',
      'Kendi ilanlarınız ve sayıları, en yeniden eskiye; hesapta pazar yeri özelliği yoksa boştur. `scope=network`, galeri ağındaki hesaplara başka galerilerin yayındaki kartlarını gösterir. Fiyat ve para birimi her zaman aracınkidir.',
    ],
    refuses: ['capability_not_enabled'],
    fresh: true,
    query: ListingFilters,
    lists: ShownListing,
    run: (context) => listListings(context),
  }),
  get('marketplace/listings/{listing_id}', 'marketplace:read', 'read', 'Yakında', ['Read a listing', 'İlanı getir'], {
    about: [
      'Returns one of your listings with its statistics, or the card of another dealer’s listing, if it is «Yayında» and both accounts are in the dealer network.',
      'Bir ilanınızın tümü, sayılarıyla; başka bir galerininki, «Yayında» olduğu sürece ve ikiniz de galeri ağındaysanız, kart olarak.',
    ],
    refuses: ['capability_not_enabled'],
    fresh: true,
    returns: ShownListing,
    run: async ({ db, params, linkTo }) => {
      await requireCapability(db, 'marketplace');
      return readShownListing(db, params.listing_id, linkTo);
    },
  }),
  post('marketplace/listings', 'marketplace:write', 'write', 'Yakında', ['Publish a listing', 'İlan yayınla'], {
    about: [
      'Publishes a vehicle, like `publish`: it must be «Stokta» and not listed; the account needs the marketplace capability and a free place in its plan.',
      'Aracı yayınlamak gibi, araç için ilan açar: araç «Stokta» ve ilansız olmalıdır; hesapta pazar yeri özelliği, planda yer gerekir.',
    ],
    refuses: ['unknown_reference', 'vehicle_not_in_stock', 'already_published', 'capability_not_enabled', 'plan_limit_reached'],
    emits: ['listing.published', 'vehicle.published'],
    bodySchema: createBody(NEW_LISTING_FIELDS),
    returns: Listing,
    successStatus: 201,
    run: ({ work, body }) => openListingOf(work, body),
  }),
  del(
    'marketplace/listings/{listing_id}',
    'marketplace:write',
    'destructive',
    'Yakında',
    ['Take a listing down', 'İlanı yayından kaldır'],
    {
      about: [
        'Closes the listing permanently. Open offers are rejected and the vehicle stays in stock. Publishing again creates a new listing.',
        'İlanı kalıcı olarak kapatır; açık teklifleri reddedilir, araç stokta kalır. Yeniden yayınlamak yeni bir ilan açar.',
      ],
      refuses: ['listing_closed', 'capability_not_enabled'],
      emits: [
        'listing.closed',
        'vehicle.unpublished',
        'marketplace_offer.rejected',
        'network_offer.rejected',
        'trade_request.rejected',
        'boost_order.finished',
        'boost_order.cancelled',
        'wallet_transaction.created',
      ],
      returns: Listing,
      run: ({ work, params }) => closeListing(work, params.listing_id),
    },
  ),
  get(
    'marketplace/listings/{listing_id}/offers',
    'marketplace:read',
    'read',
    'Yakında',
    ['List offers on a listing', 'İlana gelen teklifleri listele'],
    {
      about: [
        'Returns consumers’ offers for your listing, highest first. An offer without a response expires after seven days.',
        'Alıcıların ilanınıza teklifleri, en yükseği önce. Yanıtlanmayan teklif yedi gün sonra kendiliğinden biter.',
      ],
      refuses: ['capability_not_enabled'],
      query: { status: oneOfParam(MARKETPLACE_OFFER_STATUSES) },
      lists: MarketplaceOffer,
      synced: true,
      run: async ({ db, params, query, page }) => {
        await requireCapability(db, 'marketplace');
        return listOffers(db, params.listing_id, query.status, page);
      },
    },
  ),
  post(
    'marketplace/listings/{listing_id}/offers/{offer_id}/accept',
    'marketplace:write',
    'write',
    'Yakında',
    ["Accept a consumer's offer", 'Alıcının teklifini kabul et'],
    {
      about: [
        'Accepts the offer: the vehicle is reserved without an end date, its listing is suspended, and the other open offers are rejected. No customer and no sale are created. Sell the vehicle, or release it to cancel the agreement.',
        'Teklifi kabul eder: araç süresiz rezerve olur, ilanı askıya alınır, diğer açık teklifler reddedilir. Müşteri ya da satış oluşmaz; aracı satın ya da rezervasyonu kaldırın; kaldırırsanız anlaşma bozulur.',
      ],
      refuses: ['offer_closed', 'offer_expired', 'vehicle_not_available', 'capability_not_enabled'],
      emits: [
        'marketplace_offer.accepted',
        'vehicle.reserved',
        'vehicle.status_changed',
        'listing.suspended',
        'marketplace_offer.rejected',
      ],
      returns: MarketplaceOffer,
      run: ({ work, params }) => acceptOffer(work, params.listing_id, params.offer_id),
    },
  ),
  post(
    'marketplace/listings/{listing_id}/offers/{offer_id}/reject',
    'marketplace:write',
    'write',
    'Yakında',
    ["Reject a consumer's offer", 'Alıcının teklifini reddet'],
    {
      about: ['Rejects an open offer, optionally with a reason.', 'Açık bir teklifi, istenirse gerekçesiyle, reddeder.'],
      refuses: ['offer_closed', 'capability_not_enabled'],
      emits: ['marketplace_offer.rejected'],
      bodySchema: createBody(REJECT_FIELDS),
      returns: MarketplaceOffer,
      run: ({ work, params, body }) => rejectOffer(work, params.listing_id, params.offer_id, body.reason ?? null),
    },
  ),
  get('marketplace/stats', 'marketplace:read', 'read', 'Yakında', ['Read listing statistics', 'İlan istatistiklerini getir'], {
    about: [
      'Returns the number of published and suspended listings, and daily counts of listings published and closed, views, questions and offers; default: the last 30 days. Rates are per view, and null without views. Only consumers’ offers are counted.',
      'Şu anda yayında ve askıda kaç ilan olduğu; günler arasında açılan, kapanan, görüntülenen, sorulan ve teklif edilenler; aralık verilmezse son otuz gün. Oranlar görüntüleme başınadır, görüntüleme yoksa null; yalnızca alıcı teklifleri sayılır.',
    ],
    fresh: true,
    query: { from: momentParam, to: momentParam },
    returns: MarketplaceStats,
    run: ({ db, query, now, account }) => readMarketplaceStats(db, query, now, account.timezone),
  }),
]);
