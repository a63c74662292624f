import { HandCoins, Repeat } from 'lucide-react';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { useMay } from '../../permissions.ts';
import type { NetworkListing } from '../../records/network/network.ts';
import { networkTexts } from './texts.ts';

export interface CarActsProps {
  readonly listing: NetworkListing;
  readonly onAct: (act: { readonly act: 'offer' | 'trade'; readonly listing: NetworkListing }) => void;
}

/** An offer or a swap for a published car, for those who may make one. */
export function CarActs({ listing, onAct }: CarActsProps) {
  const t = useTexts(networkTexts);
  const mayOffer = useMay('network-offers:write');
  const mayTrade = useMay('trade-requests:write');
  if (!mayOffer && !mayTrade) return null;
  const { title } = listing;
  return (
    <div className="relative mt-auto flex w-fit flex-wrap gap-2 pt-1.5">
      {mayOffer && (
        <Button icon={HandCoins} onClick={() => onAct({ act: 'offer', listing })} aria-label={`${t.makeOffer}: ${title}`}>
          {t.makeOffer}
        </Button>
      )}
      {mayTrade && (
        <Button
          look="quiet"
          icon={Repeat}
          onClick={() => onAct({ act: 'trade', listing })}
          aria-label={`${t.proposeTrade}: ${title}`}
        >
          {t.proposeTrade}
        </Button>
      )}
    </div>
  );
}
