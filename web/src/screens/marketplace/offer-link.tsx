// The address that a notification of a consumer's offer leads to: the listing on which it was made.
import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from '@tanstack/react-router';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { ErrorState, SkeletonRows } from '../../parts/page/states.tsx';
import { marketplaceTexts } from './texts.ts';

export function OfferLink() {
  const t = useTexts(marketplaceTexts);
  const { offerId } = useParams({ from: '/shell/pazar/teklif/$offerId' });
  const place = useQuery({
    queryKey: ['marketplace-offer', offerId],
    queryFn: ({ signal }) => call('GET marketplace/offers/{offer_id}', { params: { offer_id: offerId }, signal }),
  });
  if (place.data) return <Navigate to="/pazar/$listingId" params={{ listingId: place.data.listing_id }} replace />;
  return (
    <>
      <PageHeader title={t.title} />
      {place.isError ? <ErrorState error={place.error} onRetry={place.refetch} /> : <SkeletonRows rows={4} />}
    </>
  );
}
