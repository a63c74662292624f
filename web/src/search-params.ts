// Filters are readable in the address: ?durum=Stokta&q=golf. Every value is text; a route reads the names it knows.

export type SearchParams = Readonly<Record<string, string | undefined>>;

export function parseSearch(text: string): SearchParams {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
}

/**
 * The parameters of a list screen's address: `validateSearch: searchOf('q', 'durum', 'offset')`. Unknown names are dropped.
 */
export function searchOf<const Names extends readonly string[]>(
  ...names: Names
): (search: Record<string, unknown>) => { [Name in Names[number]]?: string | undefined } {
  return (search) => {
    const known: Record<string, string> = {};
    for (const name of names) {
      const value = search[name];
      if (value !== undefined && value !== null && value !== '') known[name] = String(value);
    }
    return known as { [Name in Names[number]]?: string | undefined };
  };
}
