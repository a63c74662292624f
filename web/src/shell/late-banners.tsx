// Banners that depend on what the server says: their code is loaded after the first screen.
import { useSession } from '../session.ts';
import { LedgerBanner } from './ledger-banner.tsx';
import { NoticeBanner } from './notice-banner.tsx';

export function LateBanners() {
  const { person } = useSession();
  return (
    <>
      <NoticeBanner />
      {person.is_admin && <LedgerBanner />}
    </>
  );
}
