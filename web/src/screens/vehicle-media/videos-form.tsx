import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { FormLayer } from '../../parts/form/form.tsx';
import { withoutEmpty } from '../../parts/form/form-body.ts';
import { type FieldsOf, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { notify } from '../../parts/overlay/toast.tsx';
import { mediaChanged, type Video, videosQuery } from './photo-data.ts';
import { videoTexts } from './photo-texts.ts';
import { clockText, secondsOf } from './videos-length.ts';

interface VideoDialogProps {
  readonly vehicleId: string;
  /** Null for a new video. */
  readonly video: Video | null;
  readonly onClose: () => void;
}

export function VideoDialog({ vehicleId, video, onClose }: VideoDialogProps) {
  const t = useTexts(videoTexts);
  const client = useQueryClient();
  const [fault, setFault] = useState<ApiError | null>(null);
  const length = video?.duration_seconds ?? null;
  const form = useForm({
    url: video?.url ?? '',
    title: video?.title ?? '',
    duration_seconds: length === null ? '' : clockText(length),
  });
  const write = useWrite({
    send: (typed: RawBody<'POST v1/vehicles/{vehicle_id}/videos'>, headers) =>
      video === null
        ? call('POST v1/vehicles/{vehicle_id}/videos', {
            params: { vehicle_id: vehicleId },
            rawBody: withoutEmpty(typed),
            headers,
          })
        : call('PATCH v1/vehicles/{vehicle_id}/videos/{video_id}', {
            params: { vehicle_id: vehicleId, video_id: video.id },
            rawBody: typed,
            headers,
          }),
    onDone: () => {
      void client.invalidateQueries({ queryKey: videosQuery(vehicleId).queryKey });
      mediaChanged(vehicleId);
      notify({ title: video === null ? t.added : t.saved });
      onClose();
    },
  });
  const submit = () => {
    const { url, title, duration_seconds } = form.values;
    const seconds = secondsOf(duration_seconds);
    if (seconds === undefined) {
      const details = [{ field: 'duration_seconds', code: 'invalid', message: t.durationFault }];
      return setFault(new ApiError(422, 'validation_failed', t.durationFault, details, null));
    }
    setFault(null);
    write.run({ url: url.trim(), title: title.trim() || null, duration_seconds: seconds });
  };
  const error = fault ?? write.error;
  const of: FieldsOf<typeof form.values> = { form, error, names: t.names };
  return (
    <FormLayer
      title={video === null ? t.add : t.edit}
      form={form}
      names={t.names}
      error={error}
      isBusy={write.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField of={of} name="url" type="url" inputMode="url" maxLength={2000} autoFocus hint={t.urlHint} />
      <TextField of={of} name="title" maxLength={200} optional />
      <TextField of={of} name="duration_seconds" maxLength={8} optional hint={t.durationHint} />
    </FormLayer>
  );
}
