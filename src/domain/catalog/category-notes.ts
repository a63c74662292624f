// One sentence on each category, for the reference page, OpenAPI and the panel: what it is about, and what keys cannot see or do.
import type { Text } from '../../kit/errors.ts';

const note = (en: string, tr: string): Text => ({ en, tr });

const NOTES: Readonly<Record<string, Text>> = {
  Account: note(
    'The dealer the key belongs to, its branches and what it may do. Changed in the panel only.',
    'Anahtarın ait olduğu galeri, şubeleri ve yapabildikleri. Yalnızca panelden değiştirilir.',
  ),
  Vehicles: note(
    'The stock. Cost, purchase price, customs fee, chassis and engine numbers are never returned to any key.',
    'Araç stoğu. Maliyet, alış fiyatı, gümrük bedeli, şasi ve motor numarası hiçbir anahtara dönmez.',
  ),
  'Vehicle photos': note(
    'Photos of a vehicle in their order; the first is the cover.',
    'Bir aracın sıralı fotoğrafları; ilki kapaktır.',
  ),
  'Vehicle videos': note('Links to videos of a vehicle, in their order.', 'Bir aracın sıralı video bağlantıları.'),
  Customers: note(
    'Customers and the log of contact with them. Identity and tax number, address and income are never returned.',
    'Müşteriler ve onlarla yapılan görüşmeler. Kimlik ve vergi numarası, adres ve gelir bilgisi dönmez.',
  ),
  Guarantors: note("People who stand for a customer's debt.", 'Müşterinin borcuna kefil olan kişiler.'),
  Sales: note(
    'Sales in cash and by installments. A sale is cancelled, never erased.',
    'Peşin ve taksitli satışlar. Satış iptal edilir, silinmez.',
  ),
  'Installment plans': note(
    'Payment plans of sales: what is due, what is overdue, what is postponed.',
    'Satışların ödeme planları: vadesi gelen, geciken ve ertelenen taksitler.',
  ),
  Collections: note(
    'Money received from customers. A wrong entry is reversed by another, never deleted.',
    'Müşterilerden alınan ödemeler. Yanlış kayıt silinmez, ters kayıtla düzeltilir.',
  ),
  'Payment promises': note(
    'When a customer says a payment will be made, and whether it was.',
    'Müşterinin ödeme için verdiği söz ve tutulup tutulmadığı.',
  ),
  Documents: note(
    'Uploaded files, and sale documents made from templates, sent and signed.',
    'Yüklenen dosyalar ile şablondan üretilen, gönderilen ve imzalanan satış belgeleri.',
  ),
  'Promissory notes': note(
    'Notes signed for installments, from issue to collection.',
    'Taksitler için düzenlenen senetler, tahsiline kadar.',
  ),
  Tasks: note("The staff's to-do list, tied to customers, sales and vehicles.", 'Müşteri, satış ve araçlara bağlı iş listesi.'),
  'Dealer-network offers': note(
    "Offers between dealers on each other's published vehicles.",
    'Galerilerin birbirinin ilanlarına verdiği teklifler.',
  ),
  'Trade requests': note(
    'Trades of vehicles between dealers, with a cash difference.',
    'Galeriler arasında, nakit farkıyla araç takası.',
  ),
  'Dealer-network auctions': note(
    'Timed auctions among dealers. Placing a bid needs a specially authorized integration.',
    'Galeriler arası süreli müzayedeler. Pey vermek özel yetkili entegrasyon gerektirir.',
  ),
  Marketplace: note('Listings on the public site and the offers they get.', 'Herkese açık sitedeki ilanlar ve gelen teklifler.'),
  'Auction requests': note('Requests to sell a vehicle in a live auction.', 'Aracın canlı müzayedede satılması için talepler.'),
  'Live auctions': note(
    'Auctions run by an auctioneer, lot by lot. Start, bid and end are open to specially authorized integrations only.',
    'Lot lot yönetilen müzayedeler. Lot açma, pey verme ve kapatma yalnızca özel yetkili entegrasyonlara açılır.',
  ),
  Membership: note("The dealer's plan, its limits and invoices.", 'Galerinin üyelik planı, limitleri ve faturaları.'),
  Wallet: note(
    'The prepaid balance with the platform; never money of customers. A top-up is approved by an administrator.',
    'Platformdaki ön ödemeli bakiye; müşteri parası değildir. Bakiye yüklemeyi yönetici onaylar.',
  ),
  'Boost orders': note('Paid prominence of a listing, charged to the wallet.', 'İlanı öne çıkarma; ücreti cüzdandan alınır.'),
  Notifications: note('What happened that the dealer should know of.', 'Galerinin bilmesi gereken gelişmeler.'),
  'Exchange rates': note('Central bank rates of the four currencies.', 'Dört para biriminin merkez bankası kurları.'),
  'Reports and analytics': note(
    'Figures over the dealer’s own data, always per currency.',
    'Galerinin kendi verisinden, her zaman para birimi bazında rakamlar.',
  ),
  'Import center': note(
    'Connectors that bring in stock and customers. Credentials are never returned.',
    'Stok ve müşteri aktaran bağlayıcılar. Erişim bilgileri hiçbir yanıtta dönmez.',
  ),
  'Webhook management': note(
    'Addresses that are told of events, and every delivery to them.',
    'Olayların gönderildiği adresler ve her gönderimin kaydı.',
  ),
  'API usage': note(
    'How the calling key uses the API: counts, requests, limits.',
    'Çağıran anahtarın kullanımı: sayılar, istekler, limitler.',
  ),
};

export const categoryNote = (category: string): Text =>
  NOTES[category] ?? note(`Endpoints of ${category}.`, `${category} uç noktaları.`);
