// The notation of amounts, days, percentages and names on papers: `11.300,00 STG`, `15.02.2026`, `%40,77`.
import { type Currency, formatMoney } from '../../kit/money.ts';
import { phoneText } from '../formats/phone-text.ts';
import { turkishMoney } from '../formats/turkish-money.ts';
import type { PaperInstallment, PaperVehicle, Party } from './paper.ts';

/** Without the currency, for a column that names it. */
export const figure = (minor: bigint): string => turkishMoney(formatMoney(minor));

export const amount = (minor: bigint, currency: Currency): string => `${figure(minor)} ${currency}`;

export const day = (iso: string): string => iso.split('-').reverse().join('.');

/** In groups with non-breaking spaces. */
export const phoneOf = ({ phone }: { readonly phone: string | null }): string | null => phone && phoneText(phone);

export const percent = (hundredths: number): string => `%${(hundredths / 100).toFixed(2).replace('.', ',')}`;

const RATE = new Intl.NumberFormat('tr-TR', { minimumFractionDigits: 2, maximumFractionDigits: 6, useGrouping: false });

/** The recorded six digits without trailing zeros: `64,50`, `1,346555`. */
export const rate = (recorded: string): string => RATE.format(recorded as `${number}`);

export const vehicleName = ({ brand, model, model_year, plate }: PaperVehicle): string =>
  [plate, brand, model, model_year].filter((part) => part !== null).join(' ');

/** `3/12`; the down payment has no number. Intermediate payments are named. */
export function installmentLabel(installment: PaperInstallment, installments: readonly PaperInstallment[]): string {
  if (installment.seq === 0) return 'Peşinat';
  const counted = installments.filter(({ seq }) => seq > 0);
  return `${counted.findIndex(({ seq }) => seq === installment.seq) + 1}/${counted.length}${installment.kind === 'Ara Ödeme' ? ' (ara ödeme)' : ''}`;
}

/** A company is identified by its tax number, a person by the identity number. */
export const numberOf = (party: Party): { readonly label: string; readonly value: string | null } =>
  party.kind === 'Kurumsal'
    ? {
        label: 'Vergi dairesi / no',
        value:
          party.tax_no === null && party.tax_office === null
            ? null
            : [party.tax_office, party.tax_no].filter(Boolean).join(' / '),
      }
    : { label: 'Kimlik / pasaport no', value: party.id_no };
