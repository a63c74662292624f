// The person's language, theme, density and name.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { RadioGroup } from '../../parts/input/choices.tsx';
import { ErrorSummary, problemOf } from '../../parts/input/error-summary.tsx';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { usePreference } from '../../preferences.ts';
import { sessionQuery, useSavePreferences, useSession } from '../../session.ts';
import { FormPart, SettingsFrame } from './frame.tsx';
import { settingsTexts } from './texts.ts';

export function PreferencesScreen() {
  const t = useTexts(settingsTexts).preferences;
  return (
    <SettingsFrame title={t.title} description={t.description}>
      <div className="flex flex-col gap-4">
        <FormPart title={t.you}>
          <NameForm />
        </FormPart>
        <FormPart title={t.view} text={t.atOnce}>
          <ViewChoices />
        </FormPart>
      </div>
    </SettingsFrame>
  );
}

function NameForm() {
  const all = useTexts(settingsTexts);
  const t = all.preferences;
  const client = useQueryClient();
  const { person } = useSession();
  const [name, setName] = useState(person.full_name);
  const save = useMutation({
    mutationFn: () => call('PATCH me', { body: { full_name: name } }),
    onSuccess: () => {
      notify({ title: all.saved });
      return client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit} noValidate className="flex max-w-[400px] flex-col gap-4">
      <ErrorSummary error={save.error} names={{ full_name: t.fullName }} />
      <Field id="full_name" label={t.fullName} error={problemOf(save.error, 'full_name', t.fullName)}>
        <TextInput value={name} onChange={setName} maxLength={120} autoComplete="name" />
      </Field>
      <p className="m-0 text-13 wrap-anywhere text-text-2">
        {t.email}: <span className="text-text">{person.email}</span>
      </p>
      <div>
        <Button look="primary" type="submit" busy={save.isPending} disabled={name.trim() === person.full_name}>
          {all.save}
        </Button>
      </div>
    </form>
  );
}

function ViewChoices() {
  const t = useTexts(settingsTexts).preferences;
  const save = useSavePreferences();
  const languages = [
    { value: 'tr', label: <span lang="tr">Türkçe</span> },
    { value: 'en', label: <span lang="en">English</span> },
  ] as const;
  const themes = (['system', 'light', 'dark'] as const).map((value) => ({ value, label: t.themes[value] }));
  const densities = (['compact', 'normal', 'comfortable'] as const).map((value) => ({ value, label: t.densities[value] }));
  return (
    <div className="flex flex-col gap-5">
      <RadioGroup
        inline
        label={t.language}
        value={usePreference('locale')}
        options={languages}
        onChange={(locale) => save({ locale })}
      />
      <RadioGroup inline label={t.theme} value={usePreference('theme')} options={themes} onChange={(theme) => save({ theme })} />
      <RadioGroup
        inline
        label={t.density}
        value={usePreference('density')}
        options={densities}
        onChange={(density) => save({ density })}
      />
    </div>
  );
}
