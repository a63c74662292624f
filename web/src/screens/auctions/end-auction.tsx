// Ends an own auction early: sold to the leader, or unsold while no bid is binding.
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { type NetworkAuction, useAuctionsChanged } from '../../records/auctions/auctions.ts';
import { useFormat } from '../../session.ts';
import { auctionsTexts } from './texts.ts';

interface EndAuctionProps {
  readonly auction: NetworkAuction;
  readonly award: boolean;
  readonly onClose: () => void;
}

export function EndAuction({ auction: { id, current_bid, currency, status }, award, onClose }: EndAuctionProps) {
  const t = useTexts(auctionsTexts);
  const format = useFormat();
  const changed = useAuctionsChanged();
  const write = useWrite({
    send: (_: undefined, headers) =>
      call('POST v1/network-auctions/{auction_id}/end', { params: { auction_id: id }, body: { award }, headers }),
    onDone: () => {
      notify({ title: t.isEnded });
      void changed();
    },
  });
  const isPlanned = status === 'Planlandı';
  const title = award ? t.awardTitle(format.money(current_bid ?? '0', currency)) : isPlanned ? t.callOffTitle : t.endUnsoldTitle;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      action={award ? t.award : isPlanned ? t.callOff : t.endUnsold}
      danger={!award}
      run={() => write.runAndWait(undefined)}
    >
      {award ? t.awardText : t.endUnsoldText}
    </ConfirmDialog>
  );
}
