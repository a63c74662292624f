// Banners that depend on what the server says: their code is loaded after the first screen.
import { useRole, useSession } from '../session.ts';
import { KeyReviewBanner } from './key-review-banner.tsx';
import { LedgerBanner } from './ledger-banner.tsx';
import { NoticeBanner } from './notice-banner.tsx';

export function LateBanners() {
  const { person, has_key_review } = useSession();
  const isOwner = useRole('owner');
  return (
    <>
      <NoticeBanner />
      {isOwner && has_key_review && <KeyReviewBanner />}
      {person.is_admin && <LedgerBanner />}
    </>
  );
}
