// Central bank rates between TL, STG, USD and EUR. A rate is published or absent; none is invented.
import { get, resource } from '../kit/endpoint.ts';

export const exchangeRates = resource('Exchange rates', 'Döviz kurları', [
  get('exchange-rates', 'exchange-rates:read', 'read', 'Yakında', ['List current exchange rates', 'Güncel kurları listele']),
  get('exchange-rates/history', 'exchange-rates:read', 'read', 'Yakında', [
    "List a currency pair's past rates",
    'Döviz çiftinin kur geçmişini listele',
  ]),
  get('exchange-rates/{currency_pair}', 'exchange-rates:read', 'read', 'Yakında', [
    "Read a currency pair's rate",
    'Döviz çiftinin kurunu getir',
  ]),
]);
