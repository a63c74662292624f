// Queries and mutations of the import screens.
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { call, callPage } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { withoutEmpty } from '../../parts/form/form-body.ts';
import { upload } from '../../upload.ts';
import type { Connector, ImportRun, Preview } from './wire.ts';

export const CONNECTOR_STATUSES: readonly Connector['status'][] = ['Aktif', 'Pasif'];
export const RUN_STATUSES: readonly ImportRun['status'][] = [
  'Sırada',
  'Çalışıyor',
  'Tamamlandı',
  'Kısmen Tamamlandı',
  'Başarısız',
];
export const SCHEDULES: readonly Connector['schedule'][] = ['Elle', 'Saatlik', 'Günlük'];

/** The largest file that can be sent with a run. */
export const MAX_BYTES = 10 * 1024 * 1024;
/** How much of a file's beginning is sent for the preview. */
const PREVIEW_BYTES = 192 * 1024;

/** The polling interval while a run is in progress. */
const LIVE_MS = 1000;

export const isUnderWay = (status: ImportRun['status'] | null): boolean => status === 'Sırada' || status === 'Çalışıyor';

export interface ConnectorSearch {
  readonly status?: string;
  readonly target?: string;
  readonly limit?: string;
  readonly offset?: string;
}

export const connectorsQuery = (search: ConnectorSearch) =>
  queryOptions({
    queryKey: ['imports', 'connectors', search],
    queryFn: ({ signal }) => callPage('GET v1/import/connectors', { query: { ...search }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ last_run_status }) => isUnderWay(last_run_status)) ? 2000 : 30_000,
  });

/** The connectors' names, for the list of runs and its filter. */
export const connectorNamesQuery = connectorsQuery({ limit: '100' });

export const connectorQuery = (id: string) =>
  queryOptions({
    queryKey: ['imports', 'connector', id],
    queryFn: ({ signal }) => call('GET v1/import/connectors/{connector_id}', { params: { connector_id: id }, signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isUnderWay(data.last_run_status) ? LIVE_MS : false),
  });

export interface RunSearch {
  readonly connector_id?: string;
  readonly status?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: string;
  readonly offset?: string;
}

export const runsQuery = (search: RunSearch) =>
  queryOptions({
    queryKey: ['imports', 'runs', search],
    queryFn: ({ signal }) => callPage('GET v1/import/runs', { query: { ...search }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.items.some(({ status }) => isUnderWay(status)) ? LIVE_MS : 30_000),
  });

/** Polled until the run has ended. */
export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['imports', 'run', id],
    queryFn: ({ signal }) => call('GET v1/import/runs/{run_id}', { params: { run_id: id }, signal }),
    refetchInterval: ({ state: { data } }) => (data === undefined || isUnderWay(data.status) ? LIVE_MS : false),
  });

export interface ErrorSearch {
  readonly code?: string;
  readonly limit?: string;
  readonly offset?: string;
}

/** `seen`: the number of errors, so that the page is read again when it changes. */
export const errorsQuery = (runId: string, search: ErrorSearch, seen: number) =>
  queryOptions({
    queryKey: ['imports', 'errors', runId, search, seen],
    queryFn: ({ signal }) =>
      callPage('GET v1/import/runs/{run_id}/errors', { params: { run_id: runId }, query: { ...search }, signal }),
    placeholderData: keepPreviousData,
  });

export function useImportsChanged(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['imports'] });
}

export interface RunInput {
  readonly connectorId: string;
  readonly file: Blob | null;
  readonly dryRun: boolean;
}

/** Starts a run with a file, or from the connector's address. */
export function startRun({ connectorId, file, dryRun }: RunInput, headers: Readonly<Record<string, string>>): Promise<ImportRun> {
  const params = { connector_id: connectorId };
  if (file === null) return call('POST v1/import/connectors/{connector_id}/run', { params, body: { dry_run: dryRun }, headers });
  const form = new FormData();
  form.append('dry_run', String(dryRun));
  form.append('file', file, file instanceof File ? file.name : 'feed');
  return upload('POST v1/import/connectors/{connector_id}/run', { params, form, headers });
}

export type PreviewInput = Omit<RawBody<'POST import/preview'>, 'content' | 'is_cut'> & { readonly file?: Blob };

/** Sends the beginning of the file as bytes, a workbook whole, because it lists its parts at its end; the server detects the format. */
export async function readPreview({ file, ...rest }: PreviewInput): Promise<Preview> {
  const source = withoutEmpty(rest);
  if (file === undefined) return call('POST import/preview', { rawBody: source });
  const head = new Uint8Array(await file.slice(0, PREVIEW_BYTES).arrayBuffer());
  const isWorkbook = head[0] === 0x50 && head[1] === 0x4b;
  const bytes = isWorkbook ? new Uint8Array(await file.arrayBuffer()) : head;
  return call('POST import/preview', { rawBody: { ...source, content: base64(bytes), is_cut: file.size > bytes.length } });
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

const chosen = new Map<string, File>();

/** The last file chosen for a connector in this tab, so that the real run after a trial does not need it to be chosen again. */
export const fileOf = (connectorId: string): File | undefined => chosen.get(connectorId);
export const keepFile = (connectorId: string, file: File): void => {
  chosen.set(connectorId, file);
};

/** One connector reads both: a workbook is a table like any other. */
export const formatName = (type: string): string => (type === 'csv' ? 'Excel, CSV' : type.toUpperCase());
