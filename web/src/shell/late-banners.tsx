// Banners that depend on what the server says: their code is loaded after the first screen.
import { useRole, useSession } from '../session.ts';
import { LedgerBanner } from './ledger-banner.tsx';
import { NoticeBanner } from './notice-banner.tsx';
import { KeyReviewBanner, WebhookReviewBanner } from './review-banner.tsx';

export function LateBanners() {
  const { person, has_key_review, has_webhook_review } = useSession();
  const isOwner = useRole('owner');
  return (
    <>
      <NoticeBanner />
      {isOwner && has_key_review && <KeyReviewBanner />}
      {isOwner && has_webhook_review && <WebhookReviewBanner />}
      {person.is_admin && <LedgerBanner />}
    </>
  );
}
