// Shows a link once, to be copied; it is gone when the dialog is closed.
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { useFormat } from '../../session.ts';
import { adminTexts } from './texts.ts';

interface LinkDialogProps {
  readonly made: { readonly email: string; readonly link: string; readonly expires_at: string; readonly mailed?: boolean } | null;
  readonly onClose: () => void;
}

export function LinkDialog({ made, onClose }: LinkDialogProps) {
  const t = useTexts(adminTexts);
  const format = useFormat();
  return (
    <Dialog
      open={made !== null}
      onClose={onClose}
      title={t.linkTitle}
      description={made ? t.linkHint(made.email, format.dateTime(made.expires_at)) : undefined}
      footer={
        <>
          <Button onClick={onClose}>{t.close}</Button>
          {made && <CopyButton text={made.link} label={t.copyLink} look="primary" />}
        </>
      }
    >
      {made?.mailed && <p className="mt-0 mb-2 text-13 text-text-2">{t.mailedToo}</p>}
      {made && (
        <Field label={t.link}>
          <TextInput
            readOnly
            value={made.link}
            onChange={() => {}}
            onFocus={(event) => event.target.select()}
            className="code text-12"
          />
        </Field>
      )}
    </Dialog>
  );
}
