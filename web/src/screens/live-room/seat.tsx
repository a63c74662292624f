// A seat in the room: the password is given before one bids or strikes, not while the hammer is up. A person who gave it within ten minutes, as
// after signing in, has the seat without being asked.
import { useMutation, useQuery } from '@tanstack/react-query';
import { Armchair } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { ApiError, call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { partsTexts } from '../../texts/parts.ts';
import { roomTexts } from './texts.ts';

interface SeatProps {
  readonly eventId: string;
  readonly isOperator: boolean;
  /** What one does from it. */
  readonly children: ReactNode;
}

/** How often the page makes sure that the seat is still there: it ends after four hours, and two minutes after a lost connection. */
const LOOK_MS = 60_000;

export function Seat({ eventId: event_id, isOperator, children }: SeatProps) {
  const t = useTexts(roomTexts);
  const p = useTexts(partsTexts);
  const seat = useQuery({
    queryKey: ['seat', event_id],
    queryFn: ({ signal }) => call('GET live-auctions/{event_id}/seat', { params: { event_id }, signal }),
    refetchInterval: LOOK_MS,
  });
  const take = useMutation({
    mutationFn: () => call('POST live-auctions/{event_id}/seat', { params: { event_id } }),
    onSuccess: () => seat.refetch(),
  });
  const mayBeTaken = seat.data?.taken === false && seat.data.may_be_taken;
  const { mutate } = take;
  useEffect(() => {
    if (mayBeTaken) mutate();
  }, [mayBeTaken, mutate]);
  if (seat.isPending || mayBeTaken) return <div className="skeleton h-14" aria-hidden />;
  // Where it could not be asked, the row itself refuses or asks.
  if (seat.isError || seat.data.taken) return children;
  return (
    <div className="flex flex-col gap-2">
      <Button look="primary" icon={Armchair} className="min-h-14! w-full" busy={take.isPending} onClick={() => take.mutate()}>
        {isOperator ? t.seatOfOperator : t.seat}
      </Button>
      <p className="m-0 text-13 text-text-2">{t.seatText}</p>
      {take.isError && (
        <p role="alert" className="m-0 text-13 font-medium text-danger">
          {take.error instanceof ApiError ? take.error.message : p.offline}
        </p>
      )}
    </div>
  );
}
