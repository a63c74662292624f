// Asks for the password when the server requires it again; the action is then repeated automatically.
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError, call, onReauthentication } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { partsTexts } from '../../texts/parts.ts';
import { Button } from '../button.tsx';
import { Field, TextInput } from '../input/field.tsx';
import { Dialog } from './dialog.tsx';

export function ReauthDialog() {
  const t = useTexts(partsTexts);
  const answer = useRef<((isConfirmed: boolean) => void) | null>(null);
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    onReauthentication(
      () =>
        new Promise((resolve) => {
          answer.current?.(false);
          answer.current = resolve;
          setOpen(true);
        }),
    );
  }, []);

  const finish = (isConfirmed: boolean) => {
    answer.current?.(isConfirmed);
    answer.current = null;
    setOpen(false);
    setPassword('');
    setProblem(undefined);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await call('POST session/reauthenticate', { body: { password } });
      finish(true);
    } catch (error) {
      setProblem(error instanceof ApiError ? (error.of('password') ?? error.message) : t.offline);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog
      open={open}
      onClose={() => finish(false)}
      title={t.reauthTitle}
      description={t.reauthText}
      footer={
        <>
          <Button onClick={() => finish(false)}>{t.cancel}</Button>
          <Button look="primary" type="submit" form="reauth" busy={busy} disabled={password === ''}>
            {t.continue}
          </Button>
        </>
      }
    >
      <form id="reauth" onSubmit={submit}>
        <Field label={t.password} error={problem}>
          <TextInput type="password" autoComplete="current-password" value={password} onChange={setPassword} autoFocus />
        </Field>
      </form>
    </Dialog>
  );
}
