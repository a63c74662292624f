import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { call } from '../api.ts';
import { useTexts } from '../language.ts';
import { ledgerTexts } from './ledger-texts.ts';

const HALF_AN_HOUR = 30 * 60_000;

/** To administrators, on every page, as long as the last proof of the books found a difference. */
export function LedgerBanner() {
  const t = useTexts(ledgerTexts);
  const ledger = useQuery({
    queryKey: ['admin', 'ledger'],
    queryFn: ({ signal }) => call('GET admin/ledger', { signal }),
    staleTime: HALF_AN_HOUR,
    refetchInterval: HALF_AN_HOUR,
  });
  if (ledger.data === undefined || ledger.data.imbalance === '0.00') return null;
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-dest-bg px-4 py-1.5 text-13 text-dest sm:px-6"
    >
      <TriangleAlert aria-hidden className="size-4 shrink-0" />
      <span className="flex-1 font-medium">{t.wrong}</span>
      <Link to="/yonetim/yuklemeler" className="link">
        {t.see}
      </Link>
    </div>
  );
}
