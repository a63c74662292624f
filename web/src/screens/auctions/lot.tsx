// A lot by its own address, as notifications name it: it is shown in the room of its event.
import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from '@tanstack/react-router';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { BackLink, RecordGone, RecordSkeleton } from '../../parts/page/record.tsx';
import { AUCTIONS } from '../../records/auctions/auctions.ts';
import { auctionsTexts } from './texts.ts';

export function LotScreen() {
  const t = useTexts(auctionsTexts);
  const { lotId: lot_id } = useParams({ from: '/shell/muzayede/lot/$lotId' });
  const lot = useQuery({
    queryKey: [AUCTIONS, 'lot', lot_id],
    queryFn: ({ signal }) => call('GET v1/live-auctions/lots/{lot_id}', { params: { lot_id }, signal }),
  });
  if (lot.isPending) return <RecordSkeleton cards={{ stage: 'h-96', bids: 'h-60' }} />;
  if (lot.isError)
    return (
      <RecordGone
        error={lot.error}
        onRetry={lot.refetch}
        back={<BackLink to="/muzayede">{t.title}</BackLink>}
        title={t.live}
        texts={{ notFound: t.eventGone, notFoundText: t.eventGoneText, toList: t.toEvents }}
        list="/muzayede"
      />
    );
  return <Navigate to="/muzayede/canli/$eventId" params={{ eventId: lot.data.event_id }} replace />;
}
