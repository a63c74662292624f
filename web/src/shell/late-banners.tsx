// Banners that depend on what the server says: their code is loaded after the first screen.
import { isSandbox } from '../environment.ts';
import { useRole, useSession } from '../session.ts';
import { AccountPageBanner } from './account-page-banner.tsx';
import { LedgerBanner } from './ledger-banner.tsx';
import { NoticeBanner } from './notice-banner.tsx';
import { KeyReviewBanner, WebhookReviewBanner } from './review-banner.tsx';

export function LateBanners() {
  const { person, has_key_review, has_webhook_review } = useSession();
  const isOwner = useRole('owner');
  return (
    <>
      <NoticeBanner />
      {isSandbox() && <AccountPageBanner />}
      {isOwner && has_key_review && <KeyReviewBanner />}
      {/* Of the webhooks of live, which the sandbox does not have. */}
      {isOwner && has_webhook_review && !isSandbox() && <WebhookReviewBanner />}
      {person.is_admin && <LedgerBanner />}
    </>
  );
}
