// The grid of photos: drag, move by key or menu, open, caption, delete.
import { useEffect, useRef, useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { FormLayer } from '../../parts/form/form.tsx';
import { TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { useMay } from '../../permissions.ts';
import { partsTexts } from '../../texts/parts.ts';
import { mediaChanged, type Photo, shownPhotos, showPhotos, withKnownLinks } from './photo-data.ts';
import { useDragging } from './photo-drag.ts';
import { movePhoto } from './photo-order.ts';
import { photoTexts } from './photo-texts.ts';
import { useUploads } from './photo-uploads.ts';
import { PhotoLightbox } from './photos-lightbox.tsx';
import { UploadTile } from './photos-sending.tsx';
import { PhotoTile } from './photos-tile.tsx';

interface GridProps {
  readonly vehicleId: string;
  readonly photos: readonly Photo[];
  readonly mayChange: boolean;
}

type Layer = { readonly kind: 'view' | 'caption' | 'delete'; readonly id: string };

export function PhotosGrid({ vehicleId, photos, mayChange }: GridProps) {
  const t = useTexts(photoTexts);
  const [layer, setLayer] = useState<Layer | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const grid = useRef<HTMLUListElement>(null);
  const focus = useFocusOf(photos);
  const move = useMove(vehicleId);
  const moveTo = (from: number, to: number, byKey = true) => {
    if (to < 0 || to >= photos.length || to === from) return;
    if (byKey) focus(photos[from]!.id);
    setAnnouncement(t.movedTo(to + 1, photos.length));
    move(from, to);
  };
  const dragging = useDragging(grid, (from, to) => moveTo(from, to, false));
  const waiting = useUploads(vehicleId).filter(({ state }) => state !== 'done');
  const at = layer ? photos.findIndex(({ id }) => id === layer.id) : -1;
  const photo = photos[at];
  const close = () => setLayer(null);
  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <ul
        ref={grid}
        aria-label={t.photos}
        className="m-0 grid list-none grid-cols-[repeat(auto-fill,minmax(min(9rem,45%),1fr))] gap-3 p-0 sm:grid-cols-[repeat(auto-fill,minmax(11rem,1fr))]"
      >
        {photos.map((one, index) => (
          <PhotoTile
            key={one.id}
            photo={one}
            index={index}
            count={photos.length}
            mayChange={mayChange}
            dragging={dragging}
            onOpen={(kind) => setLayer({ kind, id: one.id })}
            onMove={(to) => moveTo(index, to)}
          />
        ))}
        {waiting.map((upload) => (
          <UploadTile key={upload.id} vehicleId={vehicleId} upload={upload} />
        ))}
      </ul>
      {photo && layer?.kind === 'view' && (
        <PhotoLightbox photos={photos} at={at} onMove={(to) => setLayer({ kind: 'view', id: photos[to]!.id })} onClose={close} />
      )}
      {photo && layer?.kind === 'caption' && <CaptionDialog vehicleId={vehicleId} photo={photo} onClose={close} />}
      <DeletePhoto
        vehicleId={vehicleId}
        photo={layer?.kind === 'delete' ? photo : undefined}
        name={t.name(at + 1, photos.length)}
        onClose={close}
        onDeleted={() => focus((photos[at + 1] ?? photos[at - 1])?.id)}
      />
    </>
  );
}

/** Restores the focus of a tile that was moved in the DOM. */
function useFocusOf(photos: readonly Photo[]): (id: string | undefined) => void {
  const pending = useRef<string>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after every change of the list
  useEffect(() => {
    if (pending.current !== undefined) document.getElementById(`photo-${pending.current}`)?.focus();
    pending.current = undefined;
  }, [photos]);
  return (id) => {
    pending.current = id;
  };
}

function useMove(vehicleId: string): (from: number, to: number) => void {
  const t = useTexts(photoTexts);
  const p = useTexts(partsTexts);
  return (from, to) => {
    movePhoto(vehicleId, from, to).catch((error: unknown) =>
      notify({ title: t.orderRefused, text: error instanceof ApiError ? error.message : p.offline, failed: true }),
    );
  };
}

interface OneProps {
  readonly vehicleId: string;
  readonly photo: Photo;
  readonly onClose: () => void;
}

const MAX_CAPTION = 200;

function CaptionDialog({ vehicleId, photo, onClose }: OneProps) {
  const t = useTexts(photoTexts);
  const form = useForm({ caption: photo.caption ?? '' });
  const names = { caption: t.caption };
  const write = useWrite({
    send: (caption: string | null, headers) =>
      call('PATCH v1/vehicles/{vehicle_id}/photos/{photo_id}', {
        params: { vehicle_id: vehicleId, photo_id: photo.id },
        body: { caption },
        headers,
      }),
    onDone: (now) => {
      const [known] = withKnownLinks(vehicleId, [now]);
      showPhotos(
        vehicleId,
        shownPhotos(vehicleId).map((one) => (one.id === now.id ? known! : one)),
      );
      notify({ title: t.captionSaved });
      onClose();
    },
  });
  return (
    <FormLayer
      title={photo.caption === null ? t.captionAdd : t.captionEdit}
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run(form.values.caption.trim() || null)}
      onClose={onClose}
    >
      <TextField
        of={{ form, error: write.error, names }}
        name="caption"
        maxLength={MAX_CAPTION}
        optional
        autoFocus
        hint={t.captionHint}
      />
    </FormLayer>
  );
}

interface DeleteProps {
  readonly vehicleId: string;
  readonly photo: Photo | undefined;
  readonly name: string;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function DeletePhoto({ vehicleId, photo, name, onClose, onDeleted }: DeleteProps) {
  const t = useTexts(photoTexts);
  const write = useWrite({
    send: (id: string, headers) =>
      call('DELETE v1/vehicles/{vehicle_id}/photos/{photo_id}', { params: { vehicle_id: vehicleId, photo_id: id }, headers }),
    onDone: (_, id) => {
      onDeleted();
      showPhotos(
        vehicleId,
        shownPhotos(vehicleId).filter((one) => one.id !== id),
      );
      mediaChanged(vehicleId);
      notify({ title: t.deleted });
    },
  });
  const may = useMay('vehicles:write', 'destructive');
  if (!may) return null;
  return (
    <ConfirmDialog
      open={photo !== undefined}
      onClose={onClose}
      title={t.deleteTitle(name)}
      action={t.delete}
      run={() => write.runAndWait(photo!.id)}
    >
      {t.deleteText}
    </ConfirmDialog>
  );
}
