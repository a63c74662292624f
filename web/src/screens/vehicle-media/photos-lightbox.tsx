import { Download, ExternalLink, ImageOff } from 'lucide-react';
import { useEffect } from 'react';
import { useTexts } from '../../language.ts';
import { buttonLook } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { Lightbox } from '../../parts/overlay/lightbox.tsx';
import { hostOf, type Photo, pictureOf } from './photo-data.ts';
import { photoTexts } from './photo-texts.ts';
import { Picture } from './photos-picture.tsx';
import { useName } from './photos-tile.tsx';

interface PhotoLightboxProps {
  readonly photos: readonly Photo[];
  readonly at: number;
  readonly onMove: (at: number) => void;
  readonly onClose: () => void;
}

export function PhotoLightbox({ photos, at, onMove, onClose }: PhotoLightboxProps) {
  const t = useTexts(photoTexts);
  const photo = photos[at]!;
  const source = pictureOf(photo);
  const cover = photo.is_cover ? `, ${t.isCover}` : '';
  useFetchedAhead([photos[at + 1], photos[at - 1]]);
  return (
    <Lightbox
      title={`${t.name(at + 1, photos.length)}${cover}`}
      at={at}
      count={photos.length}
      onMove={onMove}
      onClose={onClose}
      names={{ previous: t.previous, next: t.next }}
      caption={photo.caption}
      actions={
        source && (
          <a href={source} download className={cx(buttonLook('quiet'), 'hover:bg-soon-bg')}>
            <Download aria-hidden className="size-4" />
            {t.download}
          </a>
        )
      }
    >
      <Shown photo={photo} source={source} name={useName(photo, at, photos.length)} />
    </Lightbox>
  );
}

interface ShownProps {
  readonly photo: Photo;
  readonly source: string | null;
  readonly name: string;
}

function Shown({ photo, source, name }: ShownProps) {
  const t = useTexts(photoTexts);
  if (source === null)
    return (
      <div className="flex flex-col items-center gap-3 p-4 text-center">
        <p className="m-0 wrap-anywhere">{t.elsewhere(hostOf(photo))}</p>
        <a href={photo.url} target="_blank" rel="noopener noreferrer" className={buttonLook('secondary')}>
          <ExternalLink aria-hidden className="size-4" />
          {t.openNew}
        </a>
      </div>
    );
  return (
    <Picture vehicleId={photo.vehicle_id} source={source} alt={name} className="max-h-full max-w-full object-contain select-none">
      <p className="m-0 flex items-center gap-2 text-text-2">
        <ImageOff aria-hidden className="size-5" />
        {t.notShown}
      </p>
    </Picture>
  );
}

/** Preloads the neighbouring photos. */
function useFetchedAhead(photos: readonly (Photo | undefined)[]): void {
  const sources = photos.map((photo) => (photo ? pictureOf(photo) : null)).join(' ');
  useEffect(() => {
    for (const source of sources.split(' ').filter((one) => one !== '')) new Image().src = source;
  }, [sources]);
}
