// Texts of notifications about offers and swaps.
import type { Text } from '../../kit/errors.ts';
import { writtenSum } from '../formats/written.ts';
import type { NotificationKind } from '../notifications/notification.ts';
import type { VehicleCard } from '../parties/vehicle-card.ts';
import type { NetworkOffer } from './offer.ts';
import type { TradeRequest } from './trade.ts';

interface Words {
  readonly title: Text;
  readonly body: Text;
}

const carOf = ({ model_year, brand, model }: VehicleCard): string => `${model_year} ${brand} ${model}`;

const OFFER_TITLES: Partial<Record<NotificationKind, Text>> = {
  'network_offer.created': { en: 'A new offer', tr: 'Yeni teklif' },
  'network_offer.countered': { en: 'A counter-offer', tr: 'Karşı teklif' },
  'network_offer.accepted': { en: 'Your offer was accepted', tr: 'Teklifiniz kabul edildi' },
  'network_offer.rejected': { en: 'An offer was rejected', tr: 'Teklif reddedildi' },
  'network_offer.withdrawn': { en: 'An offer was withdrawn', tr: 'Teklif geri çekildi' },
  'network_offer.expired': { en: 'An offer has expired', tr: 'Teklifin süresi doldu' },
  'network_offer.fell_through': { en: 'The seller gave up the deal', tr: 'Satıcı anlaşmadan vazgeçti' },
};

export function offerWords(kind: NotificationKind, offer: NetworkOffer): Words {
  const other = offer.my_role === 'seller' ? offer.buyer : offer.seller;
  const { amount, currency } = offer;
  return {
    title: OFFER_TITLES[kind]!,
    body: {
      en: `${other.name}: ${carOf(offer.vehicle)}, ${writtenSum(amount, currency).en}`,
      tr: `${other.name}: ${carOf(offer.vehicle)}, ${writtenSum(amount, currency).tr}`,
    },
  };
}

const TRADE_TITLES: Partial<Record<NotificationKind, Text>> = {
  'trade_request.created': { en: 'A new trade request', tr: 'Yeni takas talebi' },
  'trade_request.accepted': { en: 'Your trade request was accepted', tr: 'Takas talebiniz kabul edildi' },
  'trade_request.rejected': { en: 'A trade request was rejected', tr: 'Takas talebi reddedildi' },
  'trade_request.cancelled': { en: 'A trade request was withdrawn', tr: 'Takas talebi geri çekildi' },
  'trade_request.expired': { en: 'A trade request has expired', tr: 'Takas talebinin süresi doldu' },
  'trade_request.fell_through': { en: 'The other dealer gave up the trade', tr: 'Karşı taraf takastan vazgeçti' },
};

export function tradeWords(kind: NotificationKind, trade: TradeRequest): Words {
  const other = trade.my_role === 'recipient' ? trade.requester : trade.recipient;
  const [offered, requested] = [carOf(trade.offered_vehicle), carOf(trade.requested_vehicle)];
  return {
    title: TRADE_TITLES[kind]!,
    body: { en: `${other.name}: ${offered} for ${requested}`, tr: `${other.name}: ${requested} karşılığında ${offered}` },
  };
}
