// Shows a link once, to be copied; it is gone when the dialog is closed.
import { useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { Field, TextInput } from '../../../parts/input/field.tsx';
import { Dialog } from '../../../parts/overlay/dialog.tsx';
import { useFormat } from '../../../session.ts';
import { decisionTexts } from '../decisions/decision-texts.ts';
import { adminTexts } from '../texts.ts';

interface MadeLink {
  readonly email: string;
  /** Null while someone has to approve the invitation. */
  readonly link: string | null;
  readonly expires_at: string | null;
  readonly mailed?: boolean;
}

interface LinkDialogProps {
  readonly made: MadeLink | null;
  readonly onClose: () => void;
}

export function LinkDialog({ made, onClose }: LinkDialogProps) {
  const t = useTexts(adminTexts);
  const d = useTexts(decisionTexts);
  const format = useFormat();
  const waits = made?.link === null;
  const hint = made && (waits ? d.ownerWaitsText(made.email) : t.linkHint(made.email, format.dateTime(made.expires_at!)));
  return (
    <Dialog
      open={made !== null}
      onClose={onClose}
      title={waits ? d.ownerWaits : t.linkTitle}
      description={hint ?? undefined}
      footer={
        <>
          <Button onClick={onClose}>{t.close}</Button>
          {made?.link && <CopyButton text={made.link} label={t.copyLink} look="primary" />}
        </>
      }
    >
      {made?.mailed && <p className="mt-0 mb-2 text-13 text-text-2">{t.mailedToo}</p>}
      {made?.link && (
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
