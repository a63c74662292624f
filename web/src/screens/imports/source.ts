// Previews the beginning of a feed for a connector's form: the detected format fills in the form and can be changed.
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTexts } from '../../language.ts';
import type { Form } from '../../parts/form/form-state.ts';
import { fileOf, type PreviewInput, readPreview } from './data.ts';
import type { Target } from './fields.ts';
import { fileProblem } from './file-input.tsx';
import { filledIn } from './filled-in.ts';
import { type ConnectorValues, credentialsBody, foundIn, keyOf } from './form-values.ts';
import { guessMapping } from './guess-mapping.ts';
import { importsTexts } from './texts.ts';
import type { Connector, Preview } from './wire.ts';

/** The format of the file, where the person chose it instead of leaving it to detection. */
export type Reading = Partial<Pick<ConnectorValues, 'type' | 'delimiter' | 'encoding' | 'record_path' | 'sheet' | 'header_row'>>;

export interface Source {
  readonly file: File | null;
  readonly preview: Preview | null;
  readonly error: unknown;
  /** A problem of the file itself, found before it was read. */
  readonly problem: string | null;
  readonly isReading: boolean;
  chooseFile(file: File): void;
  readUrl(): void;
  /** Reads the same source with another format. */
  readAs(reading: Reading): void;
  aimAt(target: Target): void;
}

export function useSource(form: Form<ConnectorValues>, connector: Connector | null): Source {
  const t = useTexts(importsTexts);
  const [file, setFile] = useState<File | null>(connector === null ? null : (fileOf(connector.id) ?? null));
  const [preview, setPreview] = useState<Preview | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const setAll = (values: Partial<ConnectorValues>) => {
    for (const name of Object.keys(values) as (keyof ConnectorValues)[]) form.set(name, values[name]!);
  };
  const reading = useMutation({
    mutationFn: readPreview,
    onSuccess: (found) => {
      setPreview(found);
      setAll({ ...foundIn(found), ...filledIn(form.values, found) });
    },
    onError: () => setPreview(null),
  });
  const ask = (from: File | null, how: Reading) => reading.mutate(questionOf(form.values, connector, from, how));
  // Reads the file of the last run, so that its columns are there without choosing it again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form opens
  useEffect(() => {
    if (file !== null) ask(file, readingOf(form.values));
  }, []);
  return {
    file,
    preview,
    error: reading.error,
    problem,
    isReading: reading.isPending,
    chooseFile: (chosen) => {
      const refused = fileProblem(chosen, t);
      setFile(chosen);
      setProblem(refused);
      if (refused !== null) return setPreview(null);
      form.set('header_row', '');
      if (form.values.name === '') form.set('name', chosen.name.replace(/\.[^.]+$/, '').slice(0, 120));
      ask(chosen, { ...readingOf(form.values), header_row: '' });
    },
    readUrl: () => ask(null, readingOf(form.values)),
    readAs: (how) => {
      setAll(how);
      const { type, delimiter, encoding, record_path, sheet, header_row } = form.values;
      const before = { type, delimiter, encoding, record_path, sheet, header_row };
      // Another sheet has its own header.
      const kept =
        how.type === undefined
          ? { ...before, ...(how.sheet === undefined ? {} : { header_row: '' }), ...how }
          : { encoding, ...how };
      if (how.sheet !== undefined) form.set('header_row', '');
      if (file !== null || form.values.transport === 'url') ask(form.values.transport === 'url' ? null : file, kept);
    },
    aimAt: (target) => {
      const mapping =
        preview === null
          ? {}
          : guessMapping(
              target,
              preview.columns.map(({ name }) => name),
            );
      setAll({ target, mapping: {}, defaults: {}, value_map: {}, key_field: keyOf(target, mapping) });
      if (preview !== null) setAll(filledIn({ ...form.values, target, mapping: {}, value_map: {} }, preview));
    },
  };
}

/** The format is detected each time, except for the record path, the sheet and a header that was chosen. */
const readingOf = ({ record_path, sheet, header_row }: ConnectorValues): Reading => ({ record_path, sheet, header_row });

function questionOf(values: ConnectorValues, connector: Connector | null, file: File | null, reading: Reading): PreviewInput {
  const { header_row = '', ...rest } = reading;
  const how = header_row === '' ? rest : { ...rest, header_row: Number(header_row) };
  if (file !== null) return { ...how, file };
  const credentials = credentialsBody(values, false);
  return {
    ...how,
    url: values.url.trim(),
    connector_id: connector?.id,
    credentials: credentials ?? undefined,
  };
}
