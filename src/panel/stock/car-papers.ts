// Papers about a car on offer: the sheet in its window, and an offer before a sale.
import { rolesFor } from '../../domain/identity/roles.ts';
import { type OfferTerms, readOffer, readSticker } from '../../domain/sale-papers/car-paper.ts';
import { dayIn } from '../../kit/clock.ts';
import { dayParam, integerParam, moneyParam, oneOfParam, requiredParam, textParam, withFallback } from '../../kit/params.ts';
import { type PanelFile, panelGet } from '../kit/endpoint.ts';
import { fileOf, refuseLook } from '../kit/paper-file.ts';

/** As of every file: viewers get none. */
const READERS = rolesFor({ scope: 'vehicles:read', risk: 'read' }).filter((role) => role !== 'viewer');
const language = withFallback(oneOfParam(['tr', 'en']), 'tr');
const OFFER = {
  price: moneyParam,
  down_payment: withFallback(moneyParam, 0n),
  finance_charge: withFallback(moneyParam, 0n),
  installment_count: withFallback(integerParam(0, 120), 0),
  first_due_date: dayParam,
  valid_until: requiredParam(dayParam),
  customer: textParam(120),
  language,
};

export const carPaperEndpoints = [
  panelGet('vehicles/{vehicle_id}/sticker.pdf', {
    who: READERS,
    databaseRole: 'none',
    query: { size: withFallback(oneOfParam(['A4', 'A5']), 'A4'), language },
    run: async ({ params, query, services, session, account, now }): Promise<PanelFile> => {
      refuseLook(session);
      const when = { created_at: now, day: dayIn(now, account.timezone) };
      const paper = await services.database.inTenant(account.id, 'read', (db) =>
        readSticker(db, params.vehicle_id, { ...when, size: query.size, words: query.language }),
      );
      return fileOf(account.id, paper, `etiket-${query.size}`);
    },
  }),
  panelGet('vehicles/{vehicle_id}/offer.pdf', {
    who: READERS,
    databaseRole: 'none',
    query: OFFER,
    run: async ({ params, query, services, session, account, now }): Promise<PanelFile> => {
      refuseLook(session);
      const when = { created_at: now, day: dayIn(now, account.timezone) };
      const { language: words, ...plan } = query;
      const terms: OfferTerms = { ...plan, words };
      const paper = await services.database.inTenant(account.id, 'read', (db) => readOffer(db, params.vehicle_id, terms, when));
      return fileOf(account.id, paper, `teklif-${when.day}`);
    },
  }),
];
