// Queries of the rates screen: current rates, the account's bank, and the history of a pair.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Rate } from '../../../../src/domain/exchange-rates/rate-table.ts';
import { isPair, type Pair, RATE_SOURCES, type RateSource } from '../../../../src/domain/exchange-rates/rates.ts';
import { ApiError, call, callPage } from '../../api.ts';
import { businessNow } from '../../clock.ts';
import { periodOf } from '../../parts/input/range.tsx';

export interface RatesSearch {
  readonly source?: string | undefined;
  readonly pair?: string | undefined;
  readonly range?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly offset?: string | undefined;
}

export const USUAL = '90d';

export const pairOf = ({ pair }: RatesSearch): Pair => (pair !== undefined && isPair(pair) ? pair : 'STG-TL');

export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.code === 'rate_not_available';

/** The period in the address is longer than allowed. */
export const isTooLong = (error: unknown): boolean => error instanceof ApiError && error.code === 'invalid_parameter';

/** The bank in the address, else the account's. */
export function useSource({ source }: RatesSearch): {
  readonly ours: RateSource | undefined;
  readonly shown: RateSource | undefined;
} {
  const settings = useQuery({
    queryKey: ['account-settings'],
    queryFn: ({ signal }) => call('GET v1/account/settings', { signal }),
  });
  const ours = settings.data?.rate_source;
  return { ours, shown: RATE_SOURCES.find((one) => one === source) ?? ours };
}

const A_WHILE = 5 * 60_000;

export const useRates = (source: RateSource | undefined) =>
  useQuery({
    queryKey: ['rates', source],
    queryFn: ({ signal }) => call('GET v1/exchange-rates', { query: { source }, signal }),
    enabled: source !== undefined,
    refetchInterval: A_WHILE,
  });

const MAX_PER_PAGE = 100;
const DAY_MS = 86_400_000;

/** The whole period, newest first: at most 366 days, so four pages. */
async function readHistory(search: RatesSearch, source: RateSource, signal: AbortSignal): Promise<readonly Rate[]> {
  const now = businessNow();
  const period = periodOf(search, USUAL, now.getTime());
  const { to = now.toISOString(), from = new Date(Date.parse(to) - 90 * DAY_MS).toISOString().slice(0, 10) } = period;
  const found: Rate[] = [];
  for (let more = true; more; ) {
    const page = await callPage('GET v1/exchange-rates/history', {
      query: { pair: pairOf(search), source, from, to, limit: MAX_PER_PAGE, offset: found.length },
      signal,
    });
    found.push(...page.items);
    more = page.hasMore;
  }
  return found;
}

export function useHistory(search: RatesSearch, source: RateSource | undefined) {
  const { offset: _, source: __, ...filters } = search;
  return useQuery({
    queryKey: ['rates', source, 'history', filters],
    queryFn: ({ signal }) => readHistory(search, source!, signal),
    enabled: source !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: A_WHILE,
  });
}
