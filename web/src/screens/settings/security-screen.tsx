// The person's password and second factor.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck, ShieldOff } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/input/choices.tsx';
import { ErrorSummary, problemOf } from '../../parts/input/error-summary.tsx';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { sessionQuery, useSession } from '../../session.ts';
import { FormPart, SettingsFrame } from './frame.tsx';
import { settingsTexts } from './texts.ts';
import { TotpSetUp } from './totp-set-up.tsx';

export function SecurityScreen() {
  const t = useTexts(settingsTexts).security;
  return (
    <SettingsFrame title={t.title} description={t.description}>
      <div className="flex flex-col gap-4">
        <FormPart title={t.password} text={t.passwordText}>
          <PasswordForm />
        </FormPart>
        <FormPart title={t.totp} text={t.totpText}>
          <TotpPart />
        </FormPart>
      </div>
    </SettingsFrame>
  );
}

function PasswordForm() {
  const t = useTexts(settingsTexts).security;
  const { person } = useSession();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [shown, setShown] = useState(false);
  const change = useMutation({
    mutationFn: () => call('POST me/password', { body: { password: current, new_password: next } }),
    onSuccess: () => {
      setCurrent('');
      setNext('');
      notify({ title: t.changed });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  const type = shown ? 'text' : 'password';
  return (
    <form onSubmit={submit} noValidate className="flex max-w-[400px] flex-col gap-4">
      <ErrorSummary error={change.error} names={{ password: t.current, new_password: t.next }} />
      {/* For the browser's own keeper of passwords. */}
      <input type="hidden" name="username" autoComplete="username" value={person.email} readOnly />
      <Field id="password" label={t.current} error={problemOf(change.error, 'password', t.current)}>
        <TextInput type={type} value={current} onChange={setCurrent} autoComplete="current-password" maxLength={1000} />
      </Field>
      <Field id="new_password" label={t.next} hint={t.nextHint} error={problemOf(change.error, 'new_password', t.next)}>
        <TextInput type={type} value={next} onChange={setNext} autoComplete="new-password" maxLength={1000} />
      </Field>
      <Checkbox checked={shown} onChange={setShown} label={t.show} />
      <div>
        <Button look="primary" type="submit" busy={change.isPending} disabled={current === '' || next === ''}>
          {t.change}
        </Button>
      </div>
    </form>
  );
}

function TotpPart() {
  const t = useTexts(settingsTexts).security;
  const client = useQueryClient();
  const { person } = useSession();
  const [open, setOpen] = useState<'set-up' | 'remove' | null>(null);
  const close = async () => {
    setOpen(null);
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  const remove = async () => {
    await call('DELETE me/totp');
    notify({ title: t.turnedOff });
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      {person.has_totp ? (
        <Badge tone="live" icon={ShieldCheck}>
          {t.on}
        </Badge>
      ) : (
        <Badge tone="soon" icon={ShieldOff}>
          {t.off}
        </Badge>
      )}
      {person.has_totp ? (
        <Button onClick={() => setOpen('remove')}>{t.remove}</Button>
      ) : (
        <Button look="primary" onClick={() => setOpen('set-up')}>
          {t.setUp}
        </Button>
      )}
      {open === 'set-up' && <TotpSetUp onClose={close} />}
      <ConfirmDialog open={open === 'remove'} onClose={close} title={t.removeTitle} action={t.remove} run={remove}>
        {t.removeText}
      </ConfirmDialog>
    </div>
  );
}
