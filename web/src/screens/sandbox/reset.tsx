// The reset of the sandbox, confirmed by typing its name. The page is then loaded again, because none of its records exists any more.
import { useState } from 'react';
import { call } from '../../api.ts';
import { basePath } from '../../environment.ts';
import { useTexts } from '../../language.ts';
import { Checkbox, RadioGroup } from '../../parts/input/choices.tsx';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import type { World } from '../../records/sandbox/world.ts';
import { sandboxScreenTexts } from './texts.ts';

export function ResetSandbox({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const t = useTexts(sandboxScreenTexts);
  const [data, setData] = useState<World['data']>('sample');
  const [keeps, setKeeps] = useState(true);
  const reset = async () => {
    await call('POST world/reset', { body: { data, keep_webhooks: keeps } });
    location.assign(`${basePath()}/kontrol`);
  };
  return (
    <ConfirmDialog open={open} onClose={onClose} title={t.resetTitle} action={t.reset} typed={t.confirmWord} run={reset}>
      <p className="m-0 mb-3">{t.resetText}</p>
      <RadioGroup
        label={t.dataChoice}
        value={data}
        options={(['sample', 'empty'] as const).map((value) => ({
          value,
          label: t.contents[value],
          hint: t.dataHints[value],
        }))}
        onChange={setData}
      />
      <Checkbox label={t.keepWebhooks} checked={keeps} onChange={setKeeps} className="mt-2" />
    </ConfirmDialog>
  );
}
