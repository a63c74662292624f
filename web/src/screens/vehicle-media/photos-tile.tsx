// One photo in the grid: a click opens it, dragging or Shift with arrows moves it, a menu has the rest.
import { ArrowLeft, ArrowRight, GripVertical, ImageOff, Link2, Star, TextCursorInput, Trash2 } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useTexts } from '../../language.ts';
import { cx } from '../../parts/cx.ts';
import { Menu, MenuItem, MenuLine } from '../../parts/overlay/menu.tsx';
import { RowMenuButton } from '../../parts/overlay/row-menu-button.tsx';
import { useMay } from '../../permissions.ts';
import { hostOf, type Photo, thumbnailOf } from './photo-data.ts';
import type { useDragging } from './photo-drag.ts';
import { photoTexts } from './photo-texts.ts';
import { Picture } from './photos-picture.tsx';

interface TileProps {
  readonly photo: Photo;
  readonly index: number;
  readonly count: number;
  readonly mayChange: boolean;
  readonly dragging: ReturnType<typeof useDragging>;
  readonly onOpen: (kind: 'view' | 'caption' | 'delete') => void;
  readonly onMove: (to: number) => void;
}

export function PhotoTile({ photo, index, count, mayChange, dragging, onOpen, onMove }: TileProps) {
  const t = useTexts(photoTexts);
  const name = useName(photo, index, count);
  const isCarried = dragging.dragged === index;
  const keys = (event: KeyboardEvent) => {
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: count - 1 }[event.key];
    if (!event.shiftKey || to === undefined) return;
    event.preventDefault();
    onMove(to);
  };
  return (
    <li
      data-place
      style={dragging.styleOf(index)}
      onPointerDown={(event) => mayChange && dragging.start(event, index)}
      className={cx(
        'group/photo relative flex min-w-0 flex-col overflow-hidden rounded-control border border-line bg-card select-none',
        dragging.dragged !== null && !isCarried && 'transition-transform',
        isCarried && 'z-10 shadow-pop',
        mayChange && 'pointer-fine:cursor-grab',
      )}
    >
      <button
        type="button"
        id={`photo-${photo.id}`}
        aria-label={t.open(name)}
        {...(mayChange ? { 'aria-keyshortcuts': 'Shift+ArrowLeft Shift+ArrowRight' } : {})}
        onKeyDown={mayChange ? keys : undefined}
        onClick={() => dragging.wasDragged() || onOpen('view')}
        className="block w-full cursor-[inherit]! border-0 bg-transparent p-0 focus-visible:-outline-offset-2"
      >
        <Thumbnail photo={photo} />
      </button>
      <div className="flex min-h-9 items-center gap-1.5 pl-2 text-12">
        <span aria-hidden className="tabular text-text-3">
          {index + 1}
        </span>
        {photo.is_cover && (
          <span className="badge inline-flex items-center gap-1 rounded-badge bg-read-bg px-1.5 py-0.5 font-medium text-read">
            <Star aria-hidden className="size-3" />
            {t.cover}
          </span>
        )}
        <span className="min-w-0 flex-1 truncate text-text-2" title={photo.caption ?? undefined}>
          {photo.caption}
        </span>
        {mayChange && (
          <span data-no-drag className="shrink-0">
            <Acts photo={photo} name={name} index={index} count={count} onOpen={onOpen} onMove={onMove} />
          </span>
        )}
      </div>
      {mayChange && (
        <span
          aria-hidden
          data-grip
          className="absolute top-0 left-0 hidden size-11 touch-none place-items-center pointer-coarse:grid"
        >
          <span className="grid size-8 place-items-center rounded-control bg-card text-text-2">
            <GripVertical className="size-4" />
          </span>
        </span>
      )}
    </li>
  );
}

/** «Fotoğraf 3/8, kapak: ön görünüm» */
export function useName(photo: Photo, index: number, count: number): string {
  const t = useTexts(photoTexts);
  const cover = photo.is_cover ? `, ${t.isCover}` : '';
  return `${t.name(index + 1, count)}${cover}${photo.caption === null ? '' : `: ${photo.caption}`}`;
}

type ActsProps = Pick<TileProps, 'photo' | 'index' | 'count' | 'onOpen' | 'onMove'> & { readonly name: string };

function Acts({ photo, name, index, count, onOpen, onMove }: ActsProps) {
  const t = useTexts(photoTexts);
  const mayDelete = useMay('vehicles:write', 'destructive');
  return (
    <Menu trigger={<RowMenuButton label={t.actsFor(name)} />}>
      <MenuItem icon={Star} disabled={index === 0} onSelect={() => onMove(0)}>
        {t.makeCover}
      </MenuItem>
      <MenuItem icon={ArrowLeft} disabled={index === 0} onSelect={() => onMove(index - 1)}>
        {t.moveLeft}
      </MenuItem>
      <MenuItem icon={ArrowRight} disabled={index === count - 1} onSelect={() => onMove(index + 1)}>
        {t.moveRight}
      </MenuItem>
      <MenuItem icon={TextCursorInput} onSelect={() => onOpen('caption')}>
        {photo.caption === null ? t.captionAdd : t.captionEdit}
      </MenuItem>
      {mayDelete && (
        <>
          <MenuLine />
          <MenuItem icon={Trash2} danger onSelect={() => onOpen('delete')}>
            {t.delete}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

/** Its parent has the name. A linked photo shows only its host, because the content security policy allows only our own pictures. */
export function Thumbnail({ photo, className = 'aspect-4/3' }: { readonly photo: Photo; readonly className?: string }) {
  const source = thumbnailOf(photo);
  const place = cx('grid w-full place-items-center content-center gap-1 bg-soon-bg px-2 text-12 text-soon', className);
  if (source === null)
    return (
      <span className={place}>
        <Link2 aria-hidden className="size-5" />
        <span className="max-w-full truncate">{hostOf(photo)}</span>
      </span>
    );
  return (
    <Picture
      vehicleId={photo.vehicle_id}
      source={source}
      alt=""
      className={cx('block w-full bg-soon-bg object-cover', className)}
    >
      <span className={place}>
        <ImageOff aria-hidden className="size-5" />
      </span>
    </Picture>
  );
}
