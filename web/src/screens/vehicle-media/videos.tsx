// Video links of a vehicle, opened on their own sites. The panel embeds nothing of other sites.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, ExternalLink, Pencil, Play, Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import type { VehicleDetail } from '../../../../src/domain/stock/vehicle-view.ts';
import { ApiError, call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { useWrite } from '../../parts/form/form-write.ts';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { Menu, MenuItem, MenuLine } from '../../parts/overlay/menu.tsx';
import { RowMenuButton } from '../../parts/overlay/row-menu-button.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { useMay } from '../../permissions.ts';
import { partsTexts } from '../../texts/parts.ts';
import { hostOf, mediaChanged, useMediaLimits, type Video, videosQuery } from './photo-data.ts';
import { moved } from './photo-order.ts';
import { photoTexts, videoTexts } from './photo-texts.ts';
import { VideoDialog } from './videos-form.tsx';
import { clockText } from './videos-length.ts';

interface VideosProps {
  readonly vehicle: VehicleDetail;
  readonly mayChange: boolean;
}

type Layer = { readonly kind: 'edit'; readonly video: Video | null } | { readonly kind: 'delete'; readonly video: Video };

export function Videos({ vehicle, mayChange }: VideosProps) {
  const t = useTexts(videoTexts);
  const p = useTexts(photoTexts);
  const videos = useQuery(videosQuery(vehicle.id));
  const max = useMediaLimits()?.videos;
  const [layer, setLayer] = useState<Layer | null>(null);
  const { move, announcement } = useMove(vehicle.id);
  const isFull = videos.data !== undefined && max !== undefined && videos.data.length >= max;
  return (
    <section aria-label={t.videos} className="card p-4">
      <header className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="m-0 flex items-baseline gap-2 text-14 font-semibold">
          {t.videos}
          {videos.data && max !== undefined && (
            <span className="tabular text-13 font-normal text-text-2">
              <span aria-hidden>{p.count(videos.data.length, max)}</span>
              <span className="sr-only">{t.countName(videos.data.length, max)}</span>
            </span>
          )}
        </h2>
        {mayChange && (
          <Button
            icon={Plus}
            className="ml-auto"
            disabled={isFull || !videos.data}
            onClick={() => setLayer({ kind: 'edit', video: null })}
          >
            {t.add}
          </Button>
        )}
      </header>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {videos.isPending ? (
        <Skeleton className="h-10 w-full" />
      ) : videos.isError ? (
        <ErrorState error={videos.error} onRetry={videos.refetch} />
      ) : videos.data.length === 0 ? (
        <p className="m-0 text-13 text-text-2">{t.none}</p>
      ) : (
        <ol className="m-0 list-none divide-y divide-line p-0">
          {videos.data.map((video, index) => (
            <VideoRow
              key={video.id}
              video={video}
              index={index}
              count={videos.data.length}
              mayChange={mayChange}
              onMove={(to) => move(videos.data, index, to)}
              onOpen={setLayer}
            />
          ))}
        </ol>
      )}
      {isFull && mayChange && <p className="mt-3 mb-0 text-12 text-text-2">{t.full(max)}</p>}
      {layer?.kind === 'edit' && <VideoDialog vehicleId={vehicle.id} video={layer.video} onClose={() => setLayer(null)} />}
      {layer?.kind === 'delete' && <DeleteVideo vehicleId={vehicle.id} video={layer.video} onClose={() => setLayer(null)} />}
    </section>
  );
}

const nameOf = (video: Video): string => video.title ?? hostOf(video);

interface RowProps {
  readonly video: Video;
  readonly index: number;
  readonly count: number;
  readonly mayChange: boolean;
  readonly onMove: (to: number) => void;
  readonly onOpen: (layer: Layer) => void;
}

function VideoRow({ video, index, count, mayChange, onMove, onOpen }: RowProps) {
  const t = useTexts(videoTexts);
  const mayDelete = useMay('vehicles:write', 'destructive');
  return (
    <li className="flex items-center gap-3 py-2">
      <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded-control bg-soon-bg text-soon">
        <Play className="size-4" />
      </span>
      <div className="min-w-0 flex-1">
        <a
          href={video.url}
          target="_blank"
          rel="noopener noreferrer"
          className="link inline-flex max-w-full items-center gap-1 font-medium"
        >
          <span className="truncate">{nameOf(video)}</span>
          <ExternalLink aria-hidden className="size-3.5 shrink-0" />
          <span className="sr-only">({t.newTab})</span>
        </a>
        <p className="m-0 truncate text-12 text-text-2">
          {t.providers[video.provider]}
          {video.duration_seconds !== null && ` · ${t.length(clockText(video.duration_seconds))}`}
          {video.title !== null && ` · ${hostOf(video)}`}
        </p>
      </div>
      {mayChange && (
        <Menu trigger={<RowMenuButton label={t.actsFor(nameOf(video))} />}>
          <MenuItem icon={Pencil} onSelect={() => onOpen({ kind: 'edit', video })}>
            {t.editAct}
          </MenuItem>
          <MenuItem icon={ArrowUp} disabled={index === 0} onSelect={() => onMove(index - 1)}>
            {t.up}
          </MenuItem>
          <MenuItem icon={ArrowDown} disabled={index === count - 1} onSelect={() => onMove(index + 1)}>
            {t.down}
          </MenuItem>
          {mayDelete && (
            <>
              <MenuLine />
              <MenuItem icon={Trash2} danger onSelect={() => onOpen({ kind: 'delete', video })}>
                {t.delete}
              </MenuItem>
            </>
          )}
        </Menu>
      )}
    </li>
  );
}

/** Shown at once, then saved; if the server refuses, its order is shown again. */
function useMove(vehicleId: string) {
  const t = useTexts(videoTexts);
  const p = useTexts(partsTexts);
  const client = useQueryClient();
  const [announcement, setAnnouncement] = useState('');
  const lastMove = useRef<Promise<unknown>>(Promise.resolve());
  const move = (videos: readonly Video[], from: number, to: number) => {
    const { queryKey } = videosQuery(vehicleId);
    const meant = moved(videos, from, to);
    client.setQueryData(queryKey, [...meant]);
    setAnnouncement(t.movedTo(to + 1, videos.length));
    const body = { video_ids: meant.map(({ id }) => id) };
    // One save after the other, because two could overtake each other.
    lastMove.current = lastMove.current
      .then(() =>
        call('POST v1/vehicles/{vehicle_id}/videos/reorder', {
          params: { vehicle_id: vehicleId },
          body,
          headers: { 'Idempotency-Key': crypto.randomUUID() },
        }),
      )
      .catch((error: unknown) => {
        notify({ title: t.orderRefused, text: error instanceof ApiError ? error.message : p.offline, failed: true });
        void client.invalidateQueries({ queryKey });
      });
  };
  return { move, announcement };
}

interface DeleteProps {
  readonly vehicleId: string;
  readonly video: Video;
  readonly onClose: () => void;
}

function DeleteVideo({ vehicleId, video, onClose }: DeleteProps) {
  const t = useTexts(videoTexts);
  const client = useQueryClient();
  const write = useWrite({
    send: (_: undefined, headers) =>
      call('DELETE v1/vehicles/{vehicle_id}/videos/{video_id}', {
        params: { vehicle_id: vehicleId, video_id: video.id },
        headers,
      }),
    onDone: () => {
      void client.invalidateQueries({ queryKey: videosQuery(vehicleId).queryKey });
      mediaChanged(vehicleId);
      notify({ title: t.deleted });
    },
  });
  return (
    <ConfirmDialog open onClose={onClose} title={t.deleteTitle} action={t.delete} run={() => write.runAndWait(undefined)}>
      {t.deleteText(nameOf(video))}
    </ConfirmDialog>
  );
}
