// A short description of each category, for the reference page, OpenAPI and the panel.
import type { Text } from '../../kit/errors.ts';

const note = (en: string, tr: string): Text => ({ en, tr });

const NOTES: Readonly<Record<string, Text>> = {
  Account: note(
    'The dealer account of the key, its branches and capabilities. Changed in the panel only.',
    'Anahtarın ait olduğu galeri, şubeleri ve yapabildikleri. Yalnızca panelden değiştirilir.',
  ),
  Vehicles: note(
    'The stock. Cost, purchase price, customs fee, chassis and engine numbers are never returned.',
    'Araç stoğu. Maliyet, alış fiyatı, gümrük bedeli, şasi ve motor numarası hiçbir anahtara dönmez.',
  ),
  'Vehicle photos': note(
    'Photos of a vehicle in order; the first one is the cover.',
    'Bir aracın sıralı fotoğrafları; ilki kapaktır.',
  ),
  'Vehicle videos': note('Video links of a vehicle in order.', 'Bir aracın sıralı video bağlantıları.'),
  Customers: note(
    'Customers and their contact log. Identity and tax number, address and income are never returned.',
    'Müşteriler ve onlarla yapılan görüşmeler. Kimlik ve vergi numarası, adres ve gelir bilgisi dönmez.',
  ),
  Guarantors: note('Guarantors of a customer’s debt.', 'Müşterinin borcuna kefil olan kişiler.'),
  Sales: note(
    'Cash and installment sales. A sale can be cancelled but not deleted.',
    'Peşin ve taksitli satışlar. Satış iptal edilir, silinmez.',
  ),
  'Installment plans': note(
    'Payment plans of sales: due, overdue and postponed installments.',
    'Satışların ödeme planları: vadesi gelen, geciken ve ertelenen taksitler.',
  ),
  Collections: note(
    'Money received from customers. A wrong entry is reversed, never deleted.',
    'Müşterilerden alınan ödemeler. Yanlış kayıt silinmez, ters kayıtla düzeltilir.',
  ),
  'Payment promises': note(
    'Customers’ promises to pay, and whether they were kept.',
    'Müşterinin ödeme için verdiği söz ve tutulup tutulmadığı.',
  ),
  Documents: note(
    'Uploaded files, and sale documents generated from templates, sent and signed.',
    'Yüklenen dosyalar ile şablondan üretilen, gönderilen ve imzalanan satış belgeleri.',
  ),
  'Promissory notes': note(
    'Promissory notes for installments, from issue to collection.',
    'Taksitler için düzenlenen senetler, tahsiline kadar.',
  ),
  Tasks: note('Tasks of the staff, linked to customers, sales and vehicles.', 'Müşteri, satış ve araçlara bağlı iş listesi.'),
  'Dealer-network offers': note(
    'Offers between dealers for published vehicles.',
    'Galerilerin birbirinin ilanlarına verdiği teklifler.',
  ),
  'Trade requests': note(
    'Trades of vehicles between dealers, with a cash difference.',
    'Galeriler arasında, nakit farkıyla araç takası.',
  ),
  'Dealer-network auctions': note(
    'Timed auctions between dealers. Placing a bid requires a specially authorized integration.',
    'Galeriler arası süreli müzayedeler. Pey vermek özel yetkili entegrasyon gerektirir.',
  ),
  Marketplace: note(
    'Listings on the public site and consumers’ offers for them.',
    'Herkese açık sitedeki ilanlar ve gelen teklifler.',
  ),
  'Auction requests': note('Requests to sell a vehicle in a live auction.', 'Aracın canlı müzayedede satılması için talepler.'),
  'Live auctions': note(
    'Auctions with an auctioneer, lot by lot. Start, bid and end require a specially authorized integration.',
    'Lot lot yönetilen müzayedeler. Lot açma, pey verme ve kapatma yalnızca özel yetkili entegrasyonlara açılır.',
  ),
  Membership: note("The dealer's plan, its limits and invoices.", 'Galerinin üyelik planı, limitleri ve faturaları.'),
  Wallet: note(
    'The prepaid balance with the platform; it never holds customers’ money. An administrator approves top-ups.',
    'Platformdaki ön ödemeli bakiye; müşteri parası değildir. Bakiye yüklemeyi yönetici onaylar.',
  ),
  'Boost orders': note('Paid promotion of a listing, charged to the wallet.', 'İlanı öne çıkarma; ücreti cüzdandan alınır.'),
  Notifications: note('Notifications for the dealer.', 'Galerinin bilmesi gereken gelişmeler.'),
  'Exchange rates': note('Central bank rates for the four currencies.', 'Dört para biriminin merkez bankası kurları.'),
  'Reports and analytics': note(
    'Reports on the dealer’s own data, always by currency.',
    'Galerinin kendi verisinden, her zaman para birimi bazında rakamlar.',
  ),
  'Import center': note(
    'Connectors that import stock and customers. Credentials are never returned.',
    'Stok ve müşteri aktaran bağlayıcılar. Erişim bilgileri hiçbir yanıtta dönmez.',
  ),
  'Webhook management': note('Webhooks and their deliveries.', 'Olayların gönderildiği adresler ve her gönderimin kaydı.'),
  'API usage': note(
    'Usage of the calling key: counts, requests, limits.',
    'Çağıran anahtarın kullanımı: sayılar, istekler, limitler.',
  ),
};

export const categoryNote = (category: string): Text =>
  NOTES[category] ?? note(`Endpoints of ${category}.`, `${category} uç noktaları.`);
