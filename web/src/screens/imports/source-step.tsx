// The source of a feed and its format, which is detected and can be changed.
import { LoaderCircle, ScanSearch } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { ApiError } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { type FieldsOf, LinesField, TextField } from '../../parts/form/form-fields.tsx';
import { RadioGroup } from '../../parts/input/choices.tsx';
import { Field, Select, TextInput } from '../../parts/input/field.tsx';
import { partsTexts } from '../../texts/parts.ts';
import { FileInput } from './file-input.tsx';
import { type ConnectorValues, targetOf } from './form-values.ts';
import { Remark } from './import-parts.tsx';
import type { Reading, Source } from './source.ts';
import { Step } from './step.tsx';
import { importsTexts } from './texts.ts';
import type { Connector } from './wire.ts';

const HeaderChoice = lazy(async () => ({ default: (await import('./header-choice.tsx')).HeaderChoice }));

export interface StepProps {
  readonly of: FieldsOf<ConnectorValues>;
  readonly source: Source;
  /** Null for a new connector. */
  readonly connector: Connector | null;
  /** A single file, sent once. */
  readonly isUpload?: boolean;
}

export function SourceStep({ of, source, connector, isUpload = false }: StepProps) {
  const t = useTexts(importsTexts);
  const { form } = of;
  return (
    <Step title={t.source}>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {connector === null ? (
          <RadioGroup
            label={t.target}
            value={targetOf(form.values)}
            options={(['vehicles', 'customers'] as const).map((value) => ({ value, label: t.targets[value] }))}
            onChange={source.aimAt}
          />
        ) : (
          <div>
            <p className="m-0 text-13 font-medium">{t.target}</p>
            <p className="mt-1 mb-0">
              {t.targets[connector.target]} <span className="text-13 text-text-2">({t.targetHint})</span>
            </p>
          </div>
        )}
        {!isUpload && (
          <RadioGroup
            label={t.transport}
            value={form.values.transport}
            options={[
              { value: 'inline', label: t.transportFile, hint: t.transportFileHint },
              { value: 'url', label: t.transportUrl, hint: t.transportUrlHint },
            ]}
            onChange={(transport) => form.set('transport', transport)}
          />
        )}
      </div>
      {form.values.transport === 'url' ? (
        <UrlFields of={of} source={source} connector={connector} />
      ) : (
        <Field
          label={isUpload ? t.uploadLabel : t.sampleFile}
          {...(isUpload ? {} : { hint: connector === null ? t.sampleHint : t.sampleEdit })}
          {...(source.problem ? { error: source.problem } : {})}
        >
          <FileInput file={source.file} onChoose={source.chooseFile} />
        </Field>
      )}
      <DetectedFormat of={of} source={source} />
    </Step>
  );
}

function UrlFields({ of, source, connector }: StepProps) {
  const t = useTexts(importsTexts);
  const { values } = of.form;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-0 flex-1 basis-72">
          <TextField
            of={of}
            name="url"
            type="url"
            inputMode="url"
            maxLength={2000}
            placeholder="https://ornek.com/stok.csv"
            hint={t.urlHint}
          />
        </div>
        <Button
          icon={ScanSearch}
          className="mt-6"
          busy={source.isReading}
          disabled={values.url.trim() === ''}
          onClick={source.readUrl}
        >
          {t.readUrl}
        </Button>
      </div>
      <Login of={of} connector={connector} />
    </div>
  );
}

function Login({ of, connector }: Pick<StepProps, 'of' | 'connector'>) {
  const t = useTexts(importsTexts);
  const { form } = of;
  const { login, url } = form.values;
  const kinds = connector?.has_credentials ? (['keep', '', 'basic', 'token', 'headers'] as const) : LOGINS;
  const isMoved = login === 'keep' && hostOf(url) !== hostOf(connector?.config.url ?? '');
  const isTyped = login !== '' && login !== 'keep';
  return (
    <div className="grid grid-cols-1 items-start gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
      <Field
        id="credentials"
        label={t.login}
        hint={login === 'keep' ? t.loginStored : isTyped ? t.loginHint : undefined}
        {...(isMoved ? { note: t.loginMoved } : {})}
      >
        <Select
          value={login}
          options={kinds.map((value) => ({ value, label: t.logins[value] }))}
          onChange={(value) => form.set('login', value)}
        />
      </Field>
      {login === 'basic' && (
        <>
          <TextField of={of} name="username" maxLength={200} />
          <TextField of={of} name="password" type="password" maxLength={500} />
        </>
      )}
      {login === 'token' && <TextField of={of} name="token" type="password" maxLength={4000} />}
      {login === 'headers' && <LinesField of={of} name="headers" rows={3} maxLength={4000} hint={t.headersHint} wide />}
    </div>
  );
}

const LOGINS = ['', 'basic', 'token', 'headers'] as const;

/** Host and port, because stored credentials are sent only to the same origin. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function DetectedFormat({ of, source }: Pick<StepProps, 'of' | 'source'>) {
  const t = useTexts(importsTexts);
  const p = useTexts(partsTexts);
  const { error, preview, isReading } = source;
  if (isReading)
    return (
      <p role="status" className="m-0 flex items-center gap-2 text-13 text-text-2">
        <LoaderCircle aria-hidden className="size-4 animate-spin" />
        {t.reading}
      </p>
    );
  const problem = faultOf(error, t.fileChanged, p.offline);
  if (problem === null && preview === null) return null;
  return (
    <>
      {problem !== null && <Remark tone="dest">{problem}</Remark>}
      <fieldset className="m-0 min-w-0 rounded-card border border-line p-3">
        <legend className="px-1 text-13 font-medium">{t.found}</legend>
        {preview?.sheets ? (
          <SheetField of={of} sheets={preview.sheets} sheet={preview.sheet} onChange={source.readAs} />
        ) : (
          <ReadingFields of={of} read={preview?.record_path ?? ''} onChange={source.readAs} />
        )}
        {preview !== null && (
          <p className="mt-2 mb-0 text-13 text-text-2">
            {t.foundRows(preview.rows_seen, preview.columns.length)}
            {preview.skipped.length > 0 && ` · ${t.skipped(preview.skipped.map(({ row }) => row).join(', '))}`}
          </p>
        )}
        {preview !== null && preview.header_row !== null && preview.lines.length > 0 && (
          <Suspense>
            <HeaderChoice preview={preview} onChange={(row) => source.readAs({ header_row: String(row) })} />
          </Suspense>
        )}
      </fieldset>
    </>
  );
}

/** The message for an unreadable file, a lost connection, or the server's error. */
function faultOf(error: unknown, fileChanged: string, offline: string): string | null {
  if (!error) return null;
  if (error instanceof ApiError) return error.details[0]?.message ?? error.message;
  return error instanceof DOMException ? fileChanged : offline;
}

interface SheetFieldProps {
  readonly of: StepProps['of'];
  readonly sheets: readonly string[];
  readonly sheet: string | null;
  readonly onChange: (reading: Reading) => void;
}

/** A workbook declares its own format; the sheet can be chosen, and how texts write numbers. */
function SheetField({ of, sheets, sheet, onChange }: SheetFieldProps) {
  const t = useTexts(importsTexts);
  return (
    <div className="grid grid-cols-1 gap-x-4 gap-y-3 sm:grid-cols-3">
      <Field id="sheet" label={t.sheet}>
        <Select
          value={sheet ?? ''}
          options={sheets.map((value) => ({ value, label: value }))}
          onChange={(value) => onChange({ sheet: value })}
        />
      </Field>
      <NumberFormatField of={of} />
    </div>
  );
}

interface ReadingFieldsProps {
  readonly of: StepProps['of'];
  /** The path of the last preview, so that leaving the field unchanged reads nothing again. */
  readonly read: string;
  readonly onChange: (reading: Reading) => void;
}

function ReadingFields({ of, read, onChange }: ReadingFieldsProps) {
  const t = useTexts(importsTexts);
  const { form } = of;
  const { type, delimiter, encoding, record_path } = form.values;
  const choices = (words: Readonly<Record<string, string>>) => Object.entries(words).map(([value, label]) => ({ value, label }));
  return (
    <div className="grid grid-cols-1 gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
      <Field id="type" label={t.fileType}>
        <Select
          value={type}
          options={['csv', 'json', 'xml'].map((value) => ({ value, label: value.toUpperCase() }))}
          onChange={(value) => onChange({ type: value })}
        />
      </Field>
      {type === 'csv' ? (
        <Field id="delimiter" label={t.delimiter}>
          <Select value={delimiter} options={choices(t.delimiters)} onChange={(value) => onChange({ delimiter: value })} />
        </Field>
      ) : (
        <Field id="record_path" label={t.recordPath} hint={t.recordPathHint}>
          <TextInput
            value={record_path}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            onChange={(value) => form.set('record_path', value)}
            onBlur={(event) => event.target.value.trim() !== read && onChange({ record_path: event.target.value.trim() })}
          />
        </Field>
      )}
      <Field id="encoding" label={t.encoding}>
        <Select
          value={encoding}
          options={[...(type === 'xml' || encoding === '' ? [{ value: '', label: t.ownEncoding }] : []), ...choices(t.encodings)]}
          onChange={(value) => onChange({ encoding: value })}
        />
      </Field>
      <NumberFormatField of={of} />
    </div>
  );
}

function NumberFormatField({ of: { form } }: Pick<StepProps, 'of'>) {
  const t = useTexts(importsTexts);
  return (
    <Field id="number_format" label={t.numberFormat}>
      <Select
        value={form.values.number_format}
        options={Object.entries(t.numberFormats).map(([value, label]) => ({ value, label }))}
        onChange={(value) => form.set('number_format', value)}
      />
    </Field>
  );
}
