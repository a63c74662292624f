// Builders for tests about papers: a sale with a guarantor, its templates, and generating one.
import { carOf, customerOf, dataOf, type Shown, sell } from '../../support/books.ts';
import type { Answer, TestService } from '../../support/service.ts';
import { type Dealer, newDealer } from '../../support/writer.ts';

export const paperDealer = (
  api: TestService,
  country: 'KKTC' | 'TR' = 'KKTC',
  given: Record<string, unknown> = {},
): Promise<Dealer> => newDealer(api, { country, legal_name: 'Merkez Otomotiv Ticaret Ltd. Şti.', ...given });

export interface SoldCar {
  readonly sale: Shown;
  readonly customer: string;
  readonly guarantor: string;
}

/** S1's terms, with her guarantor. */
export async function soldCar(dealer: Dealer, given: Record<string, unknown> = {}): Promise<SoldCar> {
  const customer = await customerOf(dealer, { email: 'ayse@example.com' });
  const guarantor = dataOf(
    await dealer.post(`customers/${customer}/guarantors`, {
      ...{ first_name: 'Mehmet', last_name: 'Çağlar', phone: '+905428765432', email: 'mehmet@example.com', id_no: '10000000146' },
    }),
  ).id;
  const vehicle_id = await carOf(dealer, { price: '14500.00', currency: given.currency ?? 'STG' });
  const sale = dataOf(
    await sell(dealer, {
      ...{ vehicle_id, customer_id: customer, guarantor_ids: [guarantor], sale_price: '14250.00', down_payment: '4000.00' },
      ...{ finance_charge: '1050.00', installment_count: 12 },
      ...given,
    }),
  );
  return { sale, customer, guarantor };
}

export async function templateOf(dealer: Dealer, code: string): Promise<string> {
  const found: Shown[] = (await dealer.get('document-templates?limit=100')).json.data;
  return found.find((one) => one.code === code)!.id;
}

export const generate = async (
  dealer: Dealer,
  saleId: string,
  code: string,
  given: Record<string, unknown> = {},
): Promise<Answer> =>
  dealer.post(`sales/${saleId}/sale-documents/generate`, { template_id: await templateOf(dealer, code), ...given });
