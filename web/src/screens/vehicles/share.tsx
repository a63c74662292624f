// Sharing a car: a message for WhatsApp with its price, facts and page of the showroom, the same text to copy, the address of that page,
// the panel's link for colleagues, and the phone's own sharing.
import { useQuery } from '@tanstack/react-query';
import { Copy, Globe, Link2, MessageCircle, Share2 } from 'lucide-react';
import type { VehicleDetail } from '../../../../src/domain/stock/vehicle-view.ts';
import { call } from '../../api.ts';
import { isSandbox } from '../../environment.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { OutsideLink } from '../../parts/outside-link.tsx';
import { Menu, MenuItem } from '../../parts/overlay/menu.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { useFormat, useSession } from '../../session.ts';
import { shareText } from './share-text.ts';
import { vehiclesTexts } from './texts.ts';

export function ShareMenu({ vehicle }: { readonly vehicle: VehicleDetail }) {
  const t = useTexts(vehiclesTexts);
  const locale = useLocale();
  const format = useFormat();
  const dealer = useSession().account?.name ?? '';
  // Not waited for: without the answer the message has no address.
  const { data } = useQuery({
    queryKey: ['vehicle-showroom', vehicle.id, vehicle.status, vehicle.is_marketplace_visible],
    queryFn: ({ signal }) => call('GET vehicles/{vehicle_id}/showroom', { params: { vehicle_id: vehicle.id }, signal }),
  });
  const page = data?.url ?? null;
  const text = [shareText(vehicle, dealer, locale, format), page].filter(Boolean).join('\n');
  const copy = (copied: string) =>
    navigator.clipboard.writeText(copied).then(
      () => notify({ title: t.copied }),
      () => notify({ title: t.notCopied, failed: true }),
    );
  return (
    <Menu trigger={<Button icon={Share2}>{t.share}</Button>}>
      {!isSandbox() && (
        <MenuItem icon={MessageCircle} render={<OutsideLink to={{ message: text }} inSandbox="nothing" />}>
          {t.shareWhatsApp}
        </MenuItem>
      )}
      <MenuItem icon={Copy} onSelect={() => copy(text)}>
        {t.shareText}
      </MenuItem>
      {page !== null && (
        <MenuItem icon={Globe} onSelect={() => copy(page)}>
          {t.sharePage}
        </MenuItem>
      )}
      <MenuItem icon={Link2} onSelect={() => copy(location.href)}>
        {t.shareLink}
      </MenuItem>
      {typeof navigator.share === 'function' && (
        // A person who closes the phone's dialog has decided; there is nothing to report.
        <MenuItem icon={Share2} onSelect={() => navigator.share({ text }).catch(() => {})}>
          {t.shareNative}
        </MenuItem>
      )}
    </Menu>
  );
}
