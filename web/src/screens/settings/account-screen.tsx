// The account's settings. Only changed fields are sent; leaving with changes asks first.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { SettingsView } from '../../../../src/panel/account/settings.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { ErrorSummary, problemOf } from '../../parts/input/error-summary.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { sessionQuery, useSession } from '../../session.ts';
import { Capabilities, type FormProps, IdentityPart, MoneyPart, RulesPart } from './account-fields.tsx';
import { SettingsFrame } from './frame.tsx';
import { RemindersPart } from './reminder-fields.tsx';
import { changedSettings, draftOf, SETTING_FIELDS, settingsBody } from './settings-values.ts';
import { settingsTexts } from './texts.ts';

export function AccountScreen() {
  const t = useTexts(settingsTexts);
  const settings = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => call('GET settings', { signal }),
  });
  return (
    <SettingsFrame title={t.account.title} description={t.account.description}>
      {settings.isPending ? (
        <AccountSkeleton />
      ) : settings.isError ? (
        <div className="card">
          <ErrorState error={settings.error} onRetry={settings.refetch} />
        </div>
      ) : (
        <AccountForm settings={settings.data} />
      )}
    </SettingsFrame>
  );
}

function AccountForm({ settings }: { readonly settings: SettingsView }) {
  const t = useTexts(settingsTexts);
  const client = useQueryClient();
  const { look } = useSession();
  const [draft, setDraft] = useState(() => draftOf(settings));
  const stored = draftOf(settings);
  const changed = changedSettings(draft, stored);
  const save = useMutation({
    mutationFn: () => call('PATCH settings', { rawBody: settingsBody(draft, changed) }),
    onSuccess: (saved) => {
      client.setQueryData(['settings'], saved);
      setDraft(draftOf(saved));
      notify({ title: t.saved });
      // The session has the account's name and time zone, which all screens show.
      return client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  const dirty = changed.length > 0;
  useBlocker({ shouldBlockFn: () => dirty && !confirm(t.unsaved), enableBeforeUnload: () => dirty });
  const form: FormProps = {
    draft,
    disabled: look,
    onChange: (change) => setDraft((before) => ({ ...before, ...change })),
    problem: (field) => problemOf(save.error, field, t.account[field]),
    problemAt: (field, label) => problemOf(save.error, field, label),
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (dirty) save.mutate();
  };
  const names = Object.fromEntries(SETTING_FIELDS.map((field) => [field, t.account[field]]));
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <ErrorSummary error={save.error} names={names} />
      <IdentityPart {...form} country={settings.country} />
      <MoneyPart {...form} />
      <RulesPart {...form} />
      <RemindersPart {...form} canMail={settings.can_mail} />
      <Capabilities settings={settings} />
      {!look && (
        <div
          className={cx(
            'flex flex-wrap justify-end gap-2 py-3',
            // Sticky while there is something to save.
            dirty && 'sticky bottom-0 z-10 -mx-1 border-t border-line bg-subtle px-1',
          )}
        >
          <Button disabled={!dirty} onClick={() => setDraft(stored)}>
            {t.discard}
          </Button>
          <Button look="primary" type="submit" disabled={!dirty} busy={save.isPending}>
            {t.save}
          </Button>
        </div>
      )}
    </form>
  );
}

function AccountSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      {['h-[340px]', 'h-[260px]', 'h-[240px]'].map((height) => (
        <div key={height} className="card p-5">
          <Skeleton className={`${height} w-full`} />
        </div>
      ))}
    </div>
  );
}
