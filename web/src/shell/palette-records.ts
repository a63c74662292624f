// Records that Ctrl+K finds: sales by number, plate and name, customers by name and phone, vehicles by plate, brand and model; and
// receipts, notes, papers, listings and keys. The two are asked side by side, so that neither waits for the other.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Banknote, CarFront, FileText, Handshake, KeyRound, type LucideIcon, ReceiptText, Store, UserRound } from 'lucide-react';
import { useDeferredValue } from 'react';
import { phoneText } from '../../../src/domain/formats/phone-text.ts';
import type { FoundPlace } from '../../../src/panel/home/search.ts';
import { call, callPage } from '../api.ts';
import { useLocale, useTexts } from '../language.ts';
import { useMay } from '../permissions.ts';
import { fullName, listCustomers } from '../records/customers/customers.ts';
import { documentWord } from '../records/documents/document-badge.tsx';
import { listSales } from '../records/sales/sales.ts';
import { useFormat, useSession } from '../session.ts';
import { partsTexts } from '../texts/parts.ts';

export interface FoundRecord {
  readonly kind: 'sale' | 'customer' | 'vehicle' | FoundPlace['kind'];
  readonly id: string;
  /** Where it is shown, for what has no page of its own. */
  readonly of?: Pick<FoundPlace, 'sale_id' | 'customer_id' | 'vehicle_id'>;
  readonly icon: LucideIcon;
  readonly name: string;
  readonly beside: string;
}

const MAX_OF_A_KIND = 5;
const MIN_LETTERS = 2;

/** `onlyOpen`: sales on which something is still to be paid, and nothing else. */
export function useFoundRecords(
  typed: string,
  onlyOpen: boolean,
): { readonly found: readonly FoundRecord[]; readonly isBusy: boolean } {
  const { account } = useSession();
  const toRecord = useToRecord();
  const seesSales = useMay('sales:read');
  const q = useDeferredValue(typed.trim());
  const isAsked = account !== null && (q.length >= MIN_LETTERS || onlyOpen);
  const query = useQuery({
    queryKey: ['palette', q, onlyOpen],
    queryFn: ({ signal }) => find({ q, onlyOpen, seesSales, signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  });
  const asksMore = isAsked && !onlyOpen;
  const more = useQuery({
    queryKey: ['palette-more', q],
    queryFn: ({ signal }) => call('GET search', { query: { q }, signal }),
    enabled: asksMore,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  });
  return {
    found: [...(isAsked ? (query.data ?? []) : []), ...(asksMore ? (more.data ?? []).map(toRecord) : [])],
    isBusy: (isAsked && query.isFetching) || (asksMore && more.isFetching),
  };
}

const ICONS: Readonly<Record<FoundPlace['kind'], LucideIcon>> = {
  receipt: Banknote,
  note: ReceiptText,
  document: FileText,
  listing: Store,
  key: KeyRound,
};

/** The text beside a name comes in the API's format and is formatted for people. */
function useToRecord(): (place: FoundPlace) => FoundRecord {
  const format = useFormat();
  const locale = useLocale();
  const environments: Readonly<Record<string, string>> = useTexts(partsTexts).environments;
  const shown = (kind: FoundPlace['kind'], beside: string): string => {
    const [amount = '', currency = ''] = beside.split(' ');
    if (kind === 'receipt' || kind === 'note') return format.money(amount, currency);
    if (kind === 'document') return documentWord(locale, beside);
    return kind === 'key' ? (environments[beside] ?? beside) : beside;
  };
  return ({ kind, id, name, beside, ...of }) => ({ kind, id, name, beside: shown(kind, beside), of, icon: ICONS[kind] });
}

interface FindOptions {
  readonly q: string;
  readonly onlyOpen: boolean;
  readonly seesSales: boolean;
  readonly signal: AbortSignal;
}

async function find({ q, onlyOpen, seesSales, signal }: FindOptions): Promise<readonly FoundRecord[]> {
  const limit = onlyOpen ? 10 : MAX_OF_A_KIND;
  const query = { ...(q === '' ? {} : { q }), ...(onlyOpen ? { status: 'Aktif' as const } : {}), limit };
  const [sales, customers, vehicles] = await Promise.all([
    seesSales ? listSales(query, signal) : null,
    onlyOpen ? null : listCustomers({ q, limit }, signal),
    onlyOpen ? null : callPage('GET v1/vehicles', { query: { q, limit }, signal }),
  ]);
  return [
    ...(sales?.items ?? []).map(
      ({ id, sale_no, named }): FoundRecord => ({
        kind: 'sale',
        id,
        icon: Handshake,
        name: named ? `${named.customer} · ${named.plate}` : sale_no,
        beside: sale_no,
      }),
    ),
    ...(customers?.items ?? []).map(
      (customer): FoundRecord => ({
        kind: 'customer',
        id: customer.id,
        icon: UserRound,
        name: fullName(customer),
        beside: phoneText(customer.phone),
      }),
    ),
    ...(vehicles?.items ?? []).map(
      ({ id, brand, model, model_year, plate }): FoundRecord => ({
        kind: 'vehicle',
        id,
        icon: CarFront,
        name: `${brand} ${model} ${model_year}`,
        beside: plate,
      }),
    ),
  ];
}
