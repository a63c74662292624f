// Connectors that import vehicles and customers, and their runs. Hidden from every key: connector credentials and the raw values
// of a failed row.
import {
  addConnector,
  CONNECTOR_FIELDS,
  CONNECTOR_STATUSES,
  Connector,
  editConnector,
  RUN_STATUSES,
  readConnector,
  removeConnector,
} from '../domain/imports/connectors/connector.ts';
import { IMPORT_TARGETS } from '../domain/imports/connectors/connector-config.ts';
import {
  ImportRowError,
  ImportRun,
  MAX_CONTENT_BYTES,
  queueRun,
  RUN_FIELDS,
  RUN_FORM_FIELDS,
  type RunRequest,
  readRun,
} from '../domain/imports/runs/import-run.ts';
import { createBody, patchBody } from '../domain/records/body.ts';
import { type BodyReader, type Context, del, get, patch, post, resource } from '../kit/endpoint.ts';
import { deletedOrNot, listPage, type Page, type WalkKey } from '../kit/page.ts';
import { momentParam, oneOfParam, textParam, trueParam, uuidParam } from '../kit/params.ts';
import { readPeriod } from '../kit/period.ts';
import { rawSql, sql } from '../kit/sql.ts';

const RunFilters = { connector_id: uuidParam, status: oneOfParam(RUN_STATUSES), from: momentParam, to: momentParam } as const;
const ErrorFilters = { code: textParam(60) } as const;
const ANY_SPAN = { days: 366, max: 36_600 };
/** In JSON the text of a file is longer, because line breaks and quotes take two characters. */
const MAX_JSON_BYTES = 2 * MAX_CONTENT_BYTES;

export const importCenter = resource('Import center', 'İçe aktarma merkezi', [
  get('import/connectors', 'import:read', 'read', 'Yakında', ['List import connectors', 'Bağlayıcıları listele'], {
    about: [
      'Returns the connectors that import vehicles or customers, newest first. Credentials are never returned.',
      'Başka yerden araç ya da müşteri getiren bağlayıcılar, en yeniden eskiye. Erişim bilgileri hiçbir zaman gösterilmez.',
    ],
    query: { status: oneOfParam(CONNECTOR_STATUSES), target: oneOfParam(IMPORT_TARGETS), deleted: trueParam },
    lists: Connector,
    synced: true,
    run: ({ db, query, page }) => {
      const where = [deletedOrNot(query.deleted)];
      if (query.status !== undefined) where.push(sql`status = ${query.status}`);
      if (query.target !== undefined) where.push(sql`target = ${query.target}`);
      return listPage(db, { table: 'import_connectors', shows: Connector, where }, page);
    },
  }),
  post('import/connectors', 'import:write', 'sensitive', 'Yakında', ['Add an import connector', 'Bağlayıcı ekle'], {
    about: [
      'Creates a connector: its source, field mapping and schedule. The account needs the import capability; the URL must be public and use https.',
      'Bağlayıcı ekler: kaynağın nereden geldiği, alanların nasıl eşlendiği ve ne zaman çalıştığı. Hesapta içe aktarma özelliği olmalı; adres herkese açık ve https olmalıdır.',
    ],
    refuses: ['capability_not_enabled', 'url_not_allowed', 'bad_mapping'],
    emits: ['import_connector.created'],
    bodySchema: createBody(CONNECTOR_FIELDS),
    returns: Connector,
    successStatus: 201,
    run: ({ work, body }) => addConnector(work, body),
  }),
  get('import/connectors/{connector_id}', 'import:read', 'read', 'Yakında', ['Read an import connector', 'Bağlayıcıyı getir'], {
    about: [
      'Returns a connector with its mapping and schedule. Credentials are never returned.',
      'Bir bağlayıcı, eşlemesi ve zamanlamasıyla. Erişim bilgileri hiçbir zaman gösterilmez.',
    ],
    returns: Connector,
    run: ({ db, params }) => readConnector(db, params.connector_id),
  }),
  patch(
    'import/connectors/{connector_id}',
    'import:write',
    'sensitive',
    'Yakında',
    ['Edit an import connector', 'Bağlayıcıyı düzenle'],
    {
      about: [
        'Updates the fields you send; `target` cannot be changed. Fails while a run is in progress.',
        'Verilen alanları değiştirir; neyi getirdiği (`target`) değişmez. Bir çalıştırma sürerken reddedilir.',
      ],
      refuses: ['capability_not_enabled', 'url_not_allowed', 'bad_mapping', 'run_in_progress'],
      emits: ['import_connector.updated'],
      bodySchema: patchBody(CONNECTOR_FIELDS),
      returns: Connector,
      run: ({ work, params, body }) => editConnector(work, params.connector_id, body),
    },
  ),
  del(
    'import/connectors/{connector_id}',
    'import:write',
    'destructive',
    'Yakında',
    ['Delete an import connector', 'Bağlayıcıyı sil'],
    {
      about: [
        'Deletes the connector; imported records are kept. Fails while a run is in progress.',
        'Bağlayıcıyı kaldırır; getirdikleri kalır. Bir çalıştırma sürerken reddedilir.',
      ],
      refuses: ['run_in_progress'],
      emits: ['import_connector.deleted'],
      returns: Connector,
      run: ({ work, params }) => removeConnector(work, params.connector_id),
    },
  ),
  post(
    'import/connectors/{connector_id}/run',
    'import:write',
    'write',
    'Yakında',
    ['Run an import now', 'İçe aktarmayı şimdi başlat'],
    {
      about: [
        'Queues a run and returns 202; read the run for its result. For a connector without a URL, send the content with the run, as text or as a file.',
        'Bir çalıştırmayı sıraya alır ve 202 döner; nasıl gittiğini çalıştırmayı okuyarak görün. Adresi olmayan bağlayıcı içeriği çalıştırmayla birlikte, metin ya da dosya olarak alır.',
      ],
      refuses: ['capability_not_enabled', 'connector_passive', 'run_in_progress', 'content_required'],
      emits: ['import_run.started', 'import_run.finished', 'import_run.failed'],
      bodySchema: createBody(RUN_FIELDS),
      maxBytes: MAX_JSON_BYTES,
      upload: { maxBytes: MAX_CONTENT_BYTES, bodySchema: createBody(RUN_FORM_FIELDS) as BodyReader<RunRequest> },
      returns: ImportRun,
      successStatus: 202,
      run: ({ work, params, body, file }) => queueRun(work, params.connector_id, body, file),
    },
  ),
  get('import/runs', 'import:read', 'read', 'Yakında', ['List import runs', 'İçe aktarmaları listele'], {
    about: ['Returns the runs of all connectors, newest first.', 'Tüm bağlayıcıların çalıştırmaları, en yeniden eskiye.'],
    query: RunFilters,
    lists: ImportRun,
    synced: true,
    sorts: true,
    run: listRuns,
  }),
  get('import/runs/{run_id}', 'import:read', 'read', 'Yakında', ['Read an import run', 'İçe aktarmanın durumunu getir'], {
    about: [
      'Returns a run with its progress and the number of rows created, updated, skipped and failed.',
      'Bir çalıştırma: ne kadar ilerlediği, kaç satırın eklendiği, güncellendiği, değişmediği ve alınamadığı.',
    ],
    returns: ImportRun,
    run: ({ db, params }) => readRun(db, params.run_id),
  }),
  get(
    'import/runs/{run_id}/errors',
    'import:read',
    'read',
    'Yakında',
    ["List an import run's row errors", 'İçe aktarmanın satır hatalarını listele'],
    {
      about: [
        'Returns the rows that failed in a run, in the order of the feed, with field and reason.',
        'Çalıştırmanın alamadığı satırlar, kaynaktaki sırayla, alan ve nedeniyle.',
      ],
      query: ErrorFilters,
      lists: ImportRowError,
      run: listRowErrors,
    },
  ),
]);

function listRuns({ db, query, page, now, account }: Context<'import/runs', typeof RunFilters>): Promise<Page> {
  const where = [];
  if (query.connector_id !== undefined) where.push(sql`connector_id = ${query.connector_id}`);
  if (query.status !== undefined) where.push(sql`status = ${query.status}`);
  if (query.from !== undefined || query.to !== undefined) {
    const { from, end } = readPeriod(query, now, account.timezone, ANY_SPAN);
    where.push(sql`created_at >= ${from}`, sql`created_at < ${end}`);
  }
  return listPage(db, { table: 'import_runs', shows: ImportRun, where }, page);
}

const BY_ROW: WalkKey = { columns: { row_number: 'integer', id: 'uuid' }, direction: 'asc' };

/** The key of a row may be a phone number, so it is masked for callers who see phones masked. */
const MASKED_ERROR = sql`id, run_id, row_number, left(key, 2) || '•••' as key, field, code, message, utc_text(created_at) as created_at`;

async function listRowErrors({
  db,
  params,
  query,
  page,
  masked,
}: Context<'import/runs/{run_id}/errors', typeof ErrorFilters>): Promise<Page> {
  await readRun(db, params.run_id);
  const where = [sql`run_id = ${params.run_id}`, sql`mended_at is null`];
  if (query.code !== undefined) where.push(sql`code = ${query.code}`);
  const shows = masked ? MASKED_ERROR : ImportRowError;
  return listPage(db, { table: 'import_row_errors', shows, where, order: rawSql('row_number, id'), walkedBy: BY_ROW }, page);
}
