// Statements as papers: a currency each, because sums of different ones are never added.
import { addressOf } from '../../api.ts';
import { texts, useTexts } from '../../language.ts';
import { useToday } from '../sales/sales.ts';
import type { PaperForm, ShownPaper } from './paper-store.ts';

export const statementTexts = texts({ tr: { statement: 'Hesap ekstresi' }, en: { statement: 'Statement' } });

const yearBefore = (day: string): string => `${Number(day.slice(0, 4)) - 1}${day.slice(4).replace('-02-29', '-02-28')}`;

interface Owed {
  readonly customer_id: string;
  readonly currency: string;
}

/** Statements of the past year, one file per currency. Null where no customer is selected. */
export function useStatementPaper(): (owed: readonly Owed[]) => ShownPaper | null {
  const t = useTexts(statementTexts);
  const to = useToday();
  return (owed) => {
    const [first, ...more] = Map.groupBy(owed, ({ currency }) => currency);
    const formOf = ([currency, of]: [string, readonly Owed[]]): PaperForm => ({
      label: currency,
      href: addressOf('GET statements.pdf', {
        query: { ids: of.map(({ customer_id }) => customer_id).join(','), currency, from: yearBefore(to), to },
      }),
    });
    return first === undefined ? null : { title: t.statement, forms: [formOf(first), ...more.map(formOf)] };
  };
}
