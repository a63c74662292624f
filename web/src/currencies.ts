import { CURRENCIES, type Currency } from '../../src/kit/money.ts';
import { useSession } from './session.ts';

/** Sorts lists with a currency: the account's own first, otherwise in the order they have. */
export function useOwnFirst(): <Item extends { readonly currency?: unknown }>(list: readonly Item[]) => Item[] {
  const mine = useSession().account?.default_currency;
  return (list) => list.toSorted((one, other) => Number(other.currency === mine) - Number(one.currency === mine));
}

/** The currencies to choose from, the account's own first. */
export function useCurrencies(): readonly { readonly value: string; readonly label: string }[] {
  const ownFirst = useOwnFirst();
  return ownFirst(CURRENCIES.map((currency) => ({ currency }))).map(({ currency }: { currency: Currency }) => ({
    value: currency,
    label: currency,
  }));
}
