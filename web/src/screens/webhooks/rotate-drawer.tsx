// A new signing secret; the old one also signs for a chosen time.
import { useState } from 'react';
import type { RotatedWebhook, Webhook } from '../../../../src/domain/webhooks/webhook.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { useWrite } from '../../parts/form/form-write.ts';
import { RadioGroup } from '../../parts/input/choices.tsx';
import { ErrorSummary } from '../../parts/input/error-summary.tsx';
import { Drawer } from '../../parts/overlay/dialog.tsx';
import { useSecret } from '../../parts/secret-once.tsx';
import { useFormat } from '../../session.ts';
import { useWebhooksChanged } from './data.ts';
import { WebhookSecret } from './secret-once.tsx';
import { webhooksTexts } from './texts.ts';

interface RotateProps {
  readonly webhook: Webhook;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function RotateDrawer({ webhook, open, onClose }: RotateProps) {
  const t = useTexts(webhooksTexts);
  const [made, setMade] = useSecret<RotatedWebhook>();
  const changed = useWebhooksChanged();
  const done = () => {
    setMade(null);
    onClose();
    void changed();
  };
  // The drawer cannot be closed while it shows an unsaved secret.
  const close = () => (made === null ? onClose() : undefined);
  return (
    <Drawer
      open={open}
      onClose={close}
      title={made === null ? t.rotateTitle : t.rotated}
      description={made === null ? t.rotateText : webhook.url}
    >
      {open &&
        (made === null ? (
          <RotateForm webhook={webhook} onMade={setMade} />
        ) : (
          <WebhookSecret secret={made.secret} doneLabel={t.done} onDone={done} />
        ))}
    </Drawer>
  );
}

const OVERLAPS = ['0', '3600', '86400', '604800'] as const;

function RotateForm({ webhook, onMade }: { readonly webhook: Webhook; readonly onMade: (made: RotatedWebhook) => void }) {
  const t = useTexts(webhooksTexts);
  const format = useFormat();
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]>('86400');
  const write = useWrite({
    send: (seconds: number, headers) =>
      call('POST v1/webhooks/{webhook_id}/rotate-secret', {
        params: { webhook_id: webhook.id },
        body: { overlap_seconds: seconds },
        headers,
      }),
    onDone: onMade,
  });
  return (
    <div className="flex flex-col gap-4 pb-4">
      <ErrorSummary error={write.error} />
      <RadioGroup
        label={t.overlap}
        value={overlap}
        options={OVERLAPS.map((value) => ({ value, label: t.overlaps[value] }))}
        onChange={setOverlap}
      />
      <p role="status" className="m-0 text-13 text-text-2">
        {overlap === '0' ? t.overlapNow : t.overlapEnds(format.dateTime(Date.now() + Number(overlap) * 1000))}
      </p>
      <div>
        <Button look="primary" busy={write.isPending} onClick={() => write.run(Number(overlap))}>
          {t.rotate}
        </Button>
      </div>
    </div>
  );
}
