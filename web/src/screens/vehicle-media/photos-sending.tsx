// Running uploads: each as a tile, and a progress bar for all.
import { CircleAlert, ImageUp, RotateCw, X } from 'lucide-react';
import { useTexts } from '../../language.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Progress } from '../../parts/progress.tsx';
import { photoTexts } from './photo-texts.ts';
import { isUnderWay, type Problem, type Upload, uploadsOf, useUploads } from './photo-uploads.ts';

export function UploadBar({ vehicleId }: { readonly vehicleId: string }) {
  const t = useTexts(photoTexts);
  const uploads = useUploads(vehicleId);
  const underWay = uploads.filter(isUnderWay).length;
  const failed = uploads.filter(({ state }) => state === 'failed');
  const again = failed.filter(({ problem }) => problem !== 'unreadable');
  const counted = uploads.length - failed.length;
  const sent = uploads.reduce((sum, { sent: share }) => sum + share, 0);
  return (
    // Always in the DOM, so that screen readers announce its changes.
    <div role="status" className={uploads.length > 0 && (underWay > 0 || failed.length > 0) ? 'mb-3 flex flex-col gap-2' : ''}>
      {underWay > 0 && (
        <div className="flex flex-col gap-2 rounded-card bg-subtle px-3 py-2">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="text-13 font-medium">{t.sending(counted)}</span>
            <span aria-hidden className="tabular text-13 text-text-2">
              {t.sentOf(counted - underWay, counted)}
            </span>
            <Button look="quiet" icon={X} className="ml-auto" onClick={() => uploadsOf(vehicleId).stop()}>
              {t.stopAll}
            </Button>
          </div>
          <Progress label={t.sending(counted)} value={counted === 0 ? 0 : sent / counted} />
          <span className="text-12 text-text-2">{t.keepOpen}</span>
        </div>
      )}
      {failed.length > 0 && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-card bg-dest-bg px-3 py-2 text-dest">
          <CircleAlert aria-hidden className="size-4 shrink-0" />
          <span className="text-13 font-medium">{t.someFailed(failed.length)}</span>
          {again.length > 1 && underWay === 0 && (
            <Button
              icon={RotateCw}
              className="ml-auto"
              onClick={() => {
                for (const { id } of again) uploadsOf(vehicleId).retry(id);
              }}
            >
              {t.retryAll}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

interface TileProps {
  readonly vehicleId: string;
  readonly upload: Upload;
}

export function UploadTile({ vehicleId, upload }: TileProps) {
  return (
    <li className="relative flex min-w-0 flex-col overflow-hidden rounded-control border border-line bg-subtle">
      {upload.state === 'failed' ? (
        <Failed vehicleId={vehicleId} upload={upload} />
      ) : (
        <Sending vehicleId={vehicleId} upload={upload} />
      )}
    </li>
  );
}

function Sending({ vehicleId, upload }: TileProps) {
  const t = useTexts(photoTexts);
  const state = upload.state === 'waiting' ? t.waiting : upload.preview === null ? t.preparing : null;
  return (
    <>
      <div className="relative aspect-4/3">
        {upload.preview ? (
          <img src={upload.preview} alt="" draggable={false} className="size-full object-cover opacity-60" />
        ) : (
          <span className="grid size-full place-items-center text-text-3">
            <ImageUp aria-hidden className="size-6" />
          </span>
        )}
        <IconButton
          label={t.stop(upload.name)}
          icon={X}
          className="absolute! top-1 right-1 bg-card"
          onClick={() => uploadsOf(vehicleId).drop(upload.id)}
        />
      </div>
      <div className="flex flex-col gap-1.5 p-2">
        <span className="truncate text-12 text-text-2">
          {state && `${state} · `}
          {upload.name}
        </span>
        <Progress label={t.progress(upload.name)} value={upload.sent} />
      </div>
    </>
  );
}

function Failed({ vehicleId, upload }: TileProps) {
  const t = useTexts(photoTexts);
  const uploads = uploadsOf(vehicleId);
  return (
    <div role="alert" className="flex h-full flex-col gap-1.5 p-2.5">
      <span className="truncate text-12 font-medium" title={upload.name}>
        {upload.name}
      </span>
      <span className="text-12 text-danger">{useProblem(upload.problem, upload.name)}</span>
      <div className="mt-auto flex items-center gap-1">
        {upload.problem !== 'unreadable' && (
          <Button icon={RotateCw} aria-label={t.retryOf(upload.name)} onClick={() => uploads.retry(upload.id)}>
            {t.retry}
          </Button>
        )}
        <IconButton label={t.dismissOf(upload.name)} icon={X} className="ml-auto" onClick={() => uploads.drop(upload.id)} />
      </div>
    </div>
  );
}

function useProblem(problem: Problem | null, name: string): string {
  const t = useTexts(photoTexts);
  if (problem === 'unreadable') return /\.hei[cf]$/i.test(name) ? t.heic : t.unreadable;
  return problem === null || problem === 'offline' ? t.offline : problem.message;
}
