// The form of a connector: source, mapping, then its name and schedule.

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { RecordForm } from '../../parts/form/form.tsx';
import { isEmptyBody } from '../../parts/form/form-body.ts';
import { type FieldsOf, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { Checkbox } from '../../parts/input/choices.tsx';
import { problemOf } from '../../parts/input/error-summary.tsx';
import { Field, Select } from '../../parts/input/field.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { BackLink, RecordSkeleton } from '../../parts/page/record.tsx';
import { useFormat } from '../../session.ts';
import { ConnectorError } from './connector-error.tsx';
import { connectorQuery, keepFile, SCHEDULES, startRun, useImportsChanged } from './data.ts';
import { fieldTexts } from './field-texts.ts';
import { fieldsOf, KEY_FIELDS, type Target } from './fields.ts';
import { wholeFile } from './file-input.tsx';
import {
  type ConnectorValues,
  CREDENTIALS,
  connectorForm,
  createBody,
  editBody,
  newConnectorForm,
  targetOf,
} from './form-values.ts';
import { missingIn } from './guess-mapping.ts';
import { type Source, useSource } from './source.ts';
import { SourceStep, type StepProps } from './source-step.tsx';
import { Step } from './step.tsx';
import { importsTexts } from './texts.ts';
import type { Connector } from './wire.ts';

const MappingStep = lazy(async () => ({ default: (await import('./mapping-step.tsx')).MappingStep }));

export function NewConnectorScreen() {
  const t = useTexts(importsTexts);
  const format = useFormat();
  const { target, dosya } = useSearch({ from: '/shell/ice-aktarim/yeni' });
  const isUpload = dosya !== undefined;
  const initial = newConnectorForm(target === 'customers' ? 'customers' : 'vehicles');
  const above = <BackLink to="/ice-aktarim">{t.title}</BackLink>;
  return isUpload ? (
    <>
      <PageHeader title={t.uploadTitle} description={t.uploadText} above={above} />
      <ConnectorForm
        key="upload"
        connector={null}
        initial={initial}
        upload={t.uploadName(format.date(new Date().toISOString()))}
      />
    </>
  ) : (
    <>
      <PageHeader title={t.newTitle} above={above} />
      <ConnectorForm key="new" connector={null} initial={initial} />
    </>
  );
}

export function EditConnectorScreen() {
  const t = useTexts(importsTexts);
  const { connectorId } = useParams({ from: '/shell/ice-aktarim/$connectorId/duzenle' });
  const connector = useQuery({ ...connectorQuery(connectorId), refetchOnWindowFocus: false });
  if (connector.isPending) return <RecordSkeleton cards={{ source: 'h-40', mapping: 'h-40' }} />;
  if (connector.data === undefined) return <ConnectorError error={connector.error} onRetry={connector.refetch} />;
  const back = (
    <BackLink to="/ice-aktarim/$connectorId" params={{ connectorId }}>
      {connector.data.name}
    </BackLink>
  );
  return (
    <>
      <PageHeader title={t.editTitle} above={back} />
      <ConnectorForm connector={connector.data} initial={connectorForm(connector.data)} />
    </>
  );
}

interface ConnectorFormProps {
  readonly connector: Connector | null;
  readonly initial: ConnectorValues;
  /** A single file: what it is called where the file has no name. Its source and time are no choice. */
  readonly upload?: string;
}

function ConnectorForm({ connector, initial, upload }: ConnectorFormProps) {
  const t = useTexts(importsTexts);
  const navigate = useNavigate();
  const form = useForm(initial, {
    draft: `connector.${connector?.id ?? (upload === undefined ? 'new' : 'upload')}`,
    secret: CREDENTIALS,
  });
  const source = useSource(form, connector);
  const [tries, setTries] = useState(true);
  const [missing, setMissing] = useState<unknown>(null);
  const write = useSave({ connector, source, tries, onSaved: form.release });
  const check = useCheck();
  // Shown until the fields are corrected.
  const refused = useMemo(() => inForm(write.error), [write.error]);
  const error = (missing && check(form.values) && missing) || refused;
  const names = useNames(targetOf(form.values));
  const canTry = form.values.transport === 'url' || source.file !== null;
  const submit = () => {
    const fault = check(form.values);
    setMissing(fault);
    if (fault === null) write.run({ ...form.values, name: form.values.name.trim() || (upload ?? '') });
  };
  const of: FieldsOf<ConnectorValues> = { form, error, names };
  const to = () =>
    connector === null
      ? navigate({ to: '/ice-aktarim' })
      : navigate({ to: '/ice-aktarim/$connectorId', params: { connectorId: connector.id } });
  return (
    <RecordForm
      form={form}
      names={names}
      error={error}
      isBusy={write.isPending}
      onSubmit={submit}
      onCancel={to}
      action={upload !== undefined ? t.uploadTry : canTry && tries ? t.saveAndTry : t.save}
    >
      <SourceStep of={of} source={source} connector={connector} isUpload={upload !== undefined} />
      <Suspense>
        <MappingStep of={of} source={source} />
      </Suspense>
      <SaveStep of={of} source={source} connector={connector} isUpload={upload !== undefined}>
        {canTry && upload === undefined && (
          <Checkbox label={t.tryAfter} hint={t.tryAfterHint} checked={tries} onChange={setTries} />
        )}
      </SaveStep>
    </RecordForm>
  );
}

interface SaveOptions {
  readonly connector: Connector | null;
  readonly source: Source;
  readonly tries: boolean;
  readonly onSaved: () => void;
}

/** Saves, then starts a trial run if wanted. If the trial cannot start, the connector stays saved and the reason is shown. */
function useSave({ connector, source, tries, onSaved }: SaveOptions) {
  const t = useTexts(importsTexts);
  const navigate = useNavigate();
  const changed = useImportsChanged();
  const trial = async (saved: Connector): Promise<string | null> => {
    const chosen = saved.transport === 'inline' ? source.file : null;
    if (!tries || (saved.transport === 'inline' && chosen === null)) return null;
    const file = chosen && (await wholeFile(chosen));
    if (chosen !== null && file === null) throw new Error(t.fileChanged);
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    return (await startRun({ connectorId: saved.id, file, dryRun: true }, key)).id;
  };
  return useWrite({
    send: (values: ConnectorValues, headers) => {
      if (connector === null) return call('POST v1/import/connectors', { rawBody: createBody(values), headers });
      const typed = editBody(values, connector);
      if (isEmptyBody(typed)) return Promise.resolve(connector);
      return call('PATCH v1/import/connectors/{connector_id}', {
        params: { connector_id: connector.id },
        rawBody: typed,
        headers,
      });
    },
    onDone: async (saved) => {
      onSaved();
      notify({ title: t.saved });
      if (source.file !== null) keepFile(saved.id, source.file);
      const runId = await trial(saved).catch((error: Error) => {
        notify({ title: t.failed, text: error.message, failed: true });
        return null;
      });
      void changed();
      if (runId !== null) await navigate({ to: '/ice-aktarim/calismalar/$runId', params: { runId } });
      else await navigate({ to: '/ice-aktarim/$connectorId', params: { connectorId: saved.id } });
    },
  });
}

/** Checks the fields before anything is sent. */
function useCheck(): (values: ConnectorValues) => ApiError | null {
  const t = useTexts(importsTexts);
  const names = useTexts(fieldTexts);
  return (values) => {
    const mapping = values.mapping;
    if (Object.keys(mapping).length === 0 && Object.keys(values.defaults).length === 0)
      return new ApiError(422, 'validation_failed', t.readFirst, [], null);
    const fields = missingIn(targetOf(values), mapping, values.defaults);
    if (fields.length === 0) return null;
    const details = fields.map((field) => ({
      field: `mapping.${field}`,
      code: 'required',
      message: t.missingOne(names[field]),
    }));
    return new ApiError(422, 'bad_mapping', t.missing(fields.map((field) => names[field]).join(', ')), details, null);
  };
}

/** Maps the server's field names to the form's: `config.url` is the address, `config.mapping.plate` the plate's column. */
function inForm(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { status, code, message, requestId } = error;
  const details = error.details.map((one) => ({ ...one, field: one.field.replace(/^(config|credentials)\./, '') }));
  return new ApiError(status, code, message, details, requestId);
}

function useNames(target: Target): Readonly<Record<string, string>> {
  const t = useTexts(importsTexts);
  const names = useTexts(fieldTexts);
  const own = fieldsOf(target).flatMap((field) => [
    [`mapping.${field}`, names[field]],
    [`defaults.${field}`, names[field]],
  ]);
  return { ...t.names, ...Object.fromEntries(own) };
}

function SaveStep({ of, isUpload = false, children }: StepProps & { readonly children: React.ReactNode }) {
  const t = useTexts(importsTexts);
  const names = useTexts(fieldTexts);
  const { form, error } = of;
  const { values } = form;
  const target = targetOf(values);
  const isUrl = values.transport === 'url';
  // Before a file is read, no column is missing.
  const isKeyThere = Object.keys(values.mapping).length === 0 || values.mapping[values.key_field as 'plate'] !== undefined;
  const fault = problemOf(error, 'key_field', t.names.key_field);
  return (
    <Step title={t.saving}>
      <div className="grid grid-cols-1 items-start gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
        {!isUpload && <TextField of={of} name="name" maxLength={120} hint={t.nameHint} />}
        <Field
          id="key_field"
          label={t.names.key_field}
          hint={t.keyHint}
          {...(fault ? { error: fault } : {})}
          {...(isKeyThere || values.mapping === undefined ? {} : { note: t.keyUnmapped })}
        >
          <Select
            value={values.key_field}
            options={KEY_FIELDS[target].map((value) => ({ value, label: names[value] }))}
            onChange={(value) => form.set('key_field', value)}
          />
        </Field>
        {!isUpload && (
          <Field id="schedule" label={t.names.schedule} {...(isUrl ? {} : { hint: t.scheduleHint })}>
            <Select
              value={isUrl ? values.schedule : 'Elle'}
              disabled={!isUrl}
              options={SCHEDULES.map((value) => ({ value: value as string, label: t.schedules[value] }))}
              onChange={(value) => form.set('schedule', value)}
            />
          </Field>
        )}
      </div>
      {children}
    </Step>
  );
}
