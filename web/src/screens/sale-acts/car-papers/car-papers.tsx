// The papers of a car on offer: the sheet for its window, and an offer to a customer. Shown on the car's page.
import { FileText, Tag } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { addressOf } from '../../../api.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { Menu, MenuItem } from '../../../parts/overlay/menu.tsx';
import { openPaper } from '../../../records/documents/paper-store.ts';
import { carPapersTexts } from './car-papers-texts.ts';
import type { OfferedVehicle } from './offer-dialog.tsx';

const OfferDialog = lazy(async () => ({ default: (await import('./offer-dialog.tsx')).OfferDialog }));

export function CarPapers({ vehicle }: { readonly vehicle: OfferedVehicle }) {
  const t = useTexts(carPapersTexts);
  const language = useLocale();
  const [isOffering, setOffering] = useState(false);
  const sticker = (size: 'A4' | 'A5') =>
    addressOf('GET vehicles/{vehicle_id}/sticker.pdf', { params: { vehicle_id: vehicle.id }, query: { size, language } });
  const show = (size: 'A4' | 'A5') => openPaper({ title: t.sticker, forms: [{ href: sticker(size) }] });
  return (
    <>
      <Menu trigger={<Button icon={Tag}>{t.papers}</Button>}>
        <MenuItem icon={FileText} onSelect={() => setOffering(true)}>
          {t.offer}
        </MenuItem>
        <MenuItem icon={Tag} onSelect={() => show('A4')}>
          {t.stickerA4}
        </MenuItem>
        <MenuItem icon={Tag} onSelect={() => show('A5')}>
          {t.stickerA5}
        </MenuItem>
      </Menu>
      {isOffering && (
        <Suspense fallback={null}>
          <OfferDialog vehicle={vehicle} onClose={() => setOffering(false)} />
        </Suspense>
      )}
    </>
  );
}
