// Confirms an action that cannot be undone: shows what will happen, and for the most serious asks to type the name.
import { AlertDialog as Base } from '@base-ui/react/alert-dialog';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { partsTexts } from '../../texts/parts.ts';
import { Button } from '../button.tsx';
import { Field, TextInput } from '../input/field.tsx';

interface ConfirmProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly children?: ReactNode;
  /** The verb on the button: «İptal et», not «Tamam». */
  readonly action: string;
  readonly danger?: boolean;
  /** For where «Cancel» could be read as the action itself. */
  readonly dismiss?: string;
  /** The text that must be typed exactly. */
  readonly typed?: string;
  /** False while other required input is missing. */
  readonly ready?: boolean;
  /** A failure is shown in the dialog, which closes on success. */
  readonly run: () => Promise<unknown>;
}

export function ConfirmDialog(props: ConfirmProps) {
  return (
    <Base.Root open={props.open} onOpenChange={(next) => !next && props.onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.45)]" />
        <Base.Popup
          data-layer
          className="fixed top-1/2 left-1/2 z-40 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-[480px] -translate-1/2 overflow-y-auto rounded-card bg-card p-4 text-text shadow-pop outline-none"
        >
          <Base.Title className="m-0 text-16 font-semibold wrap-anywhere">{props.title}</Base.Title>
          {/* Mounted at each opening, so that nothing typed before is left. */}
          {props.open && <ConfirmForm {...props} />}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function ConfirmForm({ onClose, children, action, danger = true, dismiss, typed, ready = true, run }: ConfirmProps) {
  const t = useTexts(partsTexts);
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await run();
      onClose();
    } catch (error) {
      setFailure(error instanceof ApiError ? error.message : t.offline);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} className="mt-2 flex flex-col gap-4">
      {children && <Base.Description render={<div className="text-text-2" />}>{children}</Base.Description>}
      {typed !== undefined && (
        <Field label={t.typeToConfirm(typed)}>
          <TextInput value={text} onChange={setText} autoComplete="off" spellCheck={false} />
        </Field>
      )}
      {failure && (
        <p role="alert" className="m-0 text-13 font-medium text-danger">
          {failure}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{dismiss ?? t.cancel}</Button>
        <Button
          look={danger ? 'danger' : 'primary'}
          type="submit"
          busy={busy}
          disabled={!ready || (typed !== undefined && text.trim() !== typed.trim())}
        >
          {action}
        </Button>
      </div>
    </form>
  );
}
