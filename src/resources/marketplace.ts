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
      'Your own listings with their figures, newest first; empty while the account has no marketplace capability. `scope=network` shows the published cards of other dealers instead, to accounts of the dealer network. Price and currency are always the vehicle’s own.',
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
      'One of your listings in full, with its figures; another dealer’s as its card, while it is «Yayında» and both are in the dealer network.',
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
      'Opens a listing of a vehicle, as publishing the vehicle does: it must be «Stokta» and not listed yet; the account needs the marketplace capability and room in its plan.',
      'Aracı yayınlamak gibi, araç için ilan açar: araç «Stokta» ve ilansız olmalıdır; hesapta pazar yeri özelliği, planda yer gerekir.',
    ],
    refuses: ['unknown_reference', 'vehicle_not_in_stock', 'already_published', 'capability_not_enabled', 'plan_limit_reached'],
    emits: ['listing.published', 'vehicle.published'],
    takes: createBody(NEW_LISTING_FIELDS),
    returns: Listing,
    answers: 201,
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
        'Closes the listing for good; open offers on it are rejected and the vehicle stays in stock. Publishing again makes a new listing.',
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
        'What consumers offer for your listing, highest first. An offer that is not answered ends by itself after seven days.',
        'Alıcıların ilanınıza teklifleri, en yükseği önce. Yanıtlanmayan teklif yedi gün sonra kendiliğinden biter.',
      ],
      refuses: ['capability_not_enabled'],
      query: { status: oneOfParam(MARKETPLACE_OFFER_STATUSES) },
      lists: MarketplaceOffer,
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
        'Agrees to the offer: the vehicle is reserved without an end date, its listing suspended, and the other open offers are rejected. No customer and no sale are made; sell the vehicle, or release it and the agreement falls through.',
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
      about: ['Rejects an open offer, with a reason if given.', 'Açık bir teklifi, istenirse gerekçesiyle, reddeder.'],
      refuses: ['offer_closed', 'capability_not_enabled'],
      emits: ['marketplace_offer.rejected'],
      takes: createBody(REJECT_FIELDS),
      returns: MarketplaceOffer,
      run: ({ work, params, body }) => rejectOffer(work, params.listing_id, params.offer_id, body.reason ?? null),
    },
  ),
  get('marketplace/stats', 'marketplace:read', 'read', 'Yakında', ['Read listing statistics', 'İlan istatistiklerini getir'], {
    about: [
      'How many listings are live and suspended now, and what was published, closed, viewed, asked and offered from day to day; without bounds the last thirty days. Rates are per view and null without views; only consumers’ offers count.',
      'Şu anda yayında ve askıda kaç ilan olduğu; günler arasında açılan, kapanan, görüntülenen, sorulan ve teklif edilenler; aralık verilmezse son otuz gün. Oranlar görüntüleme başınadır, görüntüleme yoksa null; yalnızca alıcı teklifleri sayılır.',
    ],
    fresh: true,
    query: { from: momentParam, to: momentParam },
    returns: MarketplaceStats,
    run: ({ db, query, now, account }) => readMarketplaceStats(db, query, now, account.timezone),
  }),
]);
