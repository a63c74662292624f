// The public page of the dealer's published cars: its switch, its address, what it shows, and how often it is visited.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import type { ShowroomSettingsView } from '../../../../src/panel/account/showroom.ts';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Figure } from '../../parts/figure.tsx';
import { useWrite } from '../../parts/form/form-write.ts';
import { Checkbox } from '../../parts/input/choices.tsx';
import { ErrorSummary, problemOf } from '../../parts/input/error-summary.tsx';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { useFormat, useSession } from '../../session.ts';
import { FormPart, SettingsFrame } from './frame.tsx';
import { showroomTexts } from './showroom-texts.ts';

export function ShowroomScreen() {
  const t = useTexts(showroomTexts);
  const settings = useQuery({
    queryKey: ['showroom-settings'],
    queryFn: ({ signal }) => call('GET settings/showroom', { signal }),
  });
  return (
    <SettingsFrame title={t.title} description={t.description}>
      <Loaded query={settings} rows={4}>
        {(found) => (
          <div className="flex flex-col gap-4">
            <Visits settings={found} />
            <ShowroomForm key={JSON.stringify(found)} settings={found} />
          </div>
        )}
      </Loaded>
    </SettingsFrame>
  );
}

function Visits({ settings: { visits, url, can_publish } }: { readonly settings: ShowroomSettingsView }) {
  const t = useTexts(showroomTexts);
  const format = useFormat();
  return (
    <>
      <p className="m-0 flex flex-wrap items-center gap-3 text-13">
        {url === null ? (
          <span className="text-text-2">{can_publish ? t.off : t.cannot}</span>
        ) : (
          <>
            <a className={buttonLook('primary')} href={url} target="_blank" rel="noreferrer">
              <ExternalLink aria-hidden className="size-4" />
              {t.open}
            </a>
            <CopyButton text={url} label={t.copy} />
            <span className="wrap-anywhere text-text-2">{url}</span>
          </>
        )}
      </p>
      <dl className="m-0 grid grid-cols-1 gap-3 sm:grid-cols-3">
        <Figure name={t.active} value={format.number(visits.active)} />
        <Figure name={t.views} value={format.number(visits.views)} hint={t.period} />
        <Figure name={t.contacts} value={format.number(visits.contacts)} hint={t.period} />
      </dl>
    </>
  );
}

const CHOICES = ['is_on', 'shows_plate', 'shows_sold'] as const;

function ShowroomForm({ settings }: { readonly settings: ShowroomSettingsView }) {
  const t = useTexts(showroomTexts);
  const client = useQueryClient();
  const { look } = useSession();
  const [slug, setSlug] = useState(settings.slug ?? '');
  const [choices, setChoices] = useState({
    is_on: settings.is_on,
    shows_plate: settings.shows_plate,
    shows_sold: settings.shows_sold,
  });
  const write = useWrite({
    send: (body: RawBody<'PATCH settings/showroom'>, headers) => call('PATCH settings/showroom', { rawBody: body, headers }),
    onDone: (saved) => {
      notify({ title: t.saved });
      client.setQueryData(['showroom-settings'], saved);
      client.invalidateQueries({ queryKey: ['vehicle-showroom'] });
    },
  });
  const typed = slug.trim() === '' ? null : slug.trim();
  const isChanged = typed !== settings.slug || CHOICES.some((name) => choices[name] !== settings[name]);
  const choice = (name: (typeof CHOICES)[number]) => (
    <Checkbox
      checked={choices[name]}
      label={t[name]}
      disabled={look}
      onChange={(checked) => setChoices({ ...choices, [name]: checked })}
    />
  );
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        write.run({ slug: typed, ...choices });
      }}
    >
      <ErrorSummary error={write.error} names={{ slug: t.slug, is_on: t.is_on }} />
      <FormPart title={t.page} text={t.pageText}>
        <div className="flex flex-col gap-4">
          {choice('is_on')}
          <Field id="slug" label={t.slug} hint={`${settings.base}… ${t.slugHint}`} error={problemOf(write.error, 'slug', t.slug)}>
            <TextInput
              value={slug}
              maxLength={40}
              disabled={look}
              autoCapitalize="none"
              spellCheck={false}
              onChange={(now) => setSlug(now)}
            />
          </Field>
        </div>
      </FormPart>
      <FormPart title={t.shown}>
        <div className="flex flex-col gap-2">
          {choice('shows_plate')}
          {choice('shows_sold')}
        </div>
      </FormPart>
      {!look && (
        <span>
          <Button look="primary" type="submit" busy={write.isPending} disabled={!isChanged}>
            {t.save}
          </Button>
        </span>
      )}
    </form>
  );
}
