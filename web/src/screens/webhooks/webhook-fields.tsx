// The fields of a webhook: address, description, events.
import { useState } from 'react';
import { ApiError } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { filled } from '../../parts/form/form-body.ts';
import { type FieldsOf, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { problemOf } from '../../parts/input/error-summary.tsx';
import { EventPicker } from './event-picker.tsx';
import { webhooksTexts } from './texts.ts';

interface WebhookValues {
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
}

export const webhookBody = ({ url, description, events }: WebhookValues) =>
  ({ url: url.trim(), description: filled(description) ?? null, events }) satisfies RawBody<'POST v1/webhooks'>;

export function useWebhookForm(initial: WebhookValues) {
  const form = useForm({ url: initial.url, description: initial.description, events: initial.events });
  const { events } = form.values;
  return { form, events, body: webhookBody(form.values) };
}

type WebhookForm = ReturnType<typeof useWebhookForm>;

interface WebhookFieldsProps {
  readonly of: WebhookForm;
  readonly error: unknown;
}

export function WebhookFields({ of: { form, events }, error }: WebhookFieldsProps) {
  const t = useTexts(webhooksTexts);
  const of: FieldsOf<WebhookForm['form']['values']> = { form, error, names: t.names };
  return (
    <>
      <div className="card grid grid-cols-1 items-start gap-x-4 gap-y-3 p-4 lg:grid-cols-2">
        <TextField
          of={of}
          name="url"
          type="url"
          inputMode="url"
          maxLength={2000}
          placeholder="https://erp.example.com/galeri"
          hint={t.urlHint}
        />
        <TextField of={of} name="description" maxLength={500} optional hint={t.descriptionHint} />
      </div>
      <EventPicker
        events={events}
        onChange={(next) => form.set('events', next)}
        error={problemOf(error, 'events', t.names.events)}
      />
    </>
  );
}

/** Checked here: at least one event must be chosen. */
export function useNeedsEvents(): readonly [unknown, (events: readonly string[]) => boolean] {
  const t = useTexts(webhooksTexts);
  const [problem, setProblem] = useState<unknown>(null);
  const isGiven = (events: readonly string[]): boolean => {
    const missing = events.length === 0;
    const details = [{ field: 'events', code: 'required', message: t.pickOne }];
    setProblem(missing ? new ApiError(422, 'validation_failed', t.pickOne, details, null) : null);
    return !missing;
  };
  return [problem, isGiven];
}
