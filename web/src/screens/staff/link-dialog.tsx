// Shows a single-use link, which cannot be shown again.
import type { HandedLink } from '../../../../src/panel/account/members.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { Dialog } from '../../parts/overlay/dialog.tsx';
import { DateTime } from '../../parts/values.tsx';
import { usersTexts } from './users-texts.ts';

export function LinkDialog({ link, onClose }: { readonly link: HandedLink; readonly onClose: () => void }) {
  const t = useTexts(usersTexts);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.linkTitle}
      description={link.mailed ? t.linkMailed(link.email) : t.linkText(link.email)}
      footer={
        <>
          <CopyButton look="primary" text={link.link} label={t.copyLink} />
          <Button onClick={onClose}>{t.done}</Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 py-1">
        <Field label={t.link} note={t.linkOnce}>
          <TextInput value={link.link} onChange={() => {}} readOnly onFocus={(event) => event.target.select()} className="code" />
        </Field>
        <p className="m-0 text-13 text-text-2">
          {t.linkUntil}: <DateTime at={link.expires_at} />
        </p>
      </div>
    </Dialog>
  );
}
