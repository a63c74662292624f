import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { DateTime } from '../../parts/values.tsx';
import { useFormat } from '../../session.ts';
import { moneyTexts } from './money-texts.ts';

/** Whether the last nightly proof found the books in agreement; if not, what did not agree. */
export function LedgerState() {
  const t = useTexts(moneyTexts);
  const format = useFormat();
  const ledger = useQuery({ queryKey: ['admin', 'ledger'], queryFn: ({ signal }) => call('GET admin/ledger', { signal }) });
  if (ledger.data === undefined) return null;
  const { proved_at, imbalance, found } = ledger.data;
  if (imbalance === '0.00')
    return (
      <p className="mt-0 mb-3 flex flex-wrap items-center gap-1.5 text-13 text-text-2">
        <CircleCheck aria-hidden className="size-4 text-live" />
        {proved_at === null ? (
          t.ledgerNever
        ) : (
          <>
            {t.ledgerGood} · {t.ledgerProved} <DateTime at={proved_at} show="relative" />
          </>
        )}
      </p>
    );
  return (
    <div role="alert" className="mb-4 rounded-card border border-danger bg-dest-bg p-3 text-13 text-dest">
      <p className="m-0 flex items-center gap-1.5 font-medium">
        <TriangleAlert aria-hidden className="size-4 shrink-0" />
        {t.ledgerBad(format.money(imbalance, 'TL'))}
      </p>
      <p className="m-0">
        {t.ledgerProved} <DateTime at={proved_at} />
      </p>
      <ul className="mt-2 mb-0 pl-5">
        {found.map(({ about, difference }) => (
          <li key={about} className="wrap-anywhere">
            <span className="code">{about}</span>: {format.money(difference, 'TL')}
          </li>
        ))}
      </ul>
    </div>
  );
}
