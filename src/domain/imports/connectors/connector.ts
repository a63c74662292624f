// Connectors: the sources of a dealer's feeds. Their credentials are encrypted and never shown.
import type { Db } from '../../../kit/db.ts';
import { fail } from '../../../kit/errors.ts';
import { newId } from '../../../kit/ids.ts';
import {
  anything,
  columnsOf,
  flag,
  integer,
  nullable,
  type Of,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../../../kit/schema.ts';
import { own, sql, theAccount } from '../../../kit/sql.ts';
import type { Work } from '../../../kit/work.ts';
import { NUMBER_FORMATS } from '../../formats/number-text.ts';
import type { CreateBody } from '../../records/body.ts';
import {
  type Field,
  fieldContext,
  nullable as nullableField,
  oneOfField,
  Refused,
  required,
  textField,
  type Values,
  withDefault,
} from '../../records/fields.ts';
import { changedColumns } from '../../records/record.ts';
import { emitChange } from '../../writes/record-events.ts';
import { CONNECTOR_TYPES, ENCODINGS, MAX_HEADER_ROW } from '../source-form.ts';
import {
  type ConfigRules,
  type ConnectorConfig,
  IMPORT_TARGETS,
  KEY_FIELDS,
  readConfig,
  TRANSPORTS,
} from './connector-config.ts';
import { readCredentials, sealCredentials } from './connector-credentials.ts';
import { nextRun, SCHEDULES, type Schedule } from './connector-schedule.ts';

export const CONNECTOR_STATUSES = ['Aktif', 'Pasif'] as const;
export const RUN_STATUSES = ['Sırada', 'Çalışıyor', 'Tamamlandı', 'Kısmen Tamamlandı', 'Başarısız'] as const;

const TEXT = { type: 'string' };

export const Connector = object({
  id: uuid(),
  name: text('Stok dosyası'),
  type: oneOf(CONNECTOR_TYPES),
  transport: oneOf(TRANSPORTS),
  target: oneOf(IMPORT_TARGETS),
  config: object({
    url: nullable(text('https://erp.example.com/stok.csv')),
    delimiter: nullable(text(';')),
    encoding: nullable(oneOf(ENCODINGS)),
    record_path: nullable(text('stok.arac')),
    sheet: nullable(text('Stok')),
    header_row: nullable(integer()),
    number_format: nullable(oneOf(NUMBER_FORMATS)),
    mapping: anything<ConnectorConfig['mapping']>({ plate: 'Plaka', brand: 'Marka' }, TEXT),
    defaults: anything<ConnectorConfig['defaults']>({ city: 'Lefkoşa' }),
    value_map: anything<ConnectorConfig['value_map']>(
      { transmission: { Düz: 'Manuel' } },
      { type: 'object', additionalProperties: TEXT },
    ),
  }),
  key_field: oneOf(KEY_FIELDS),
  schedule: oneOf(SCHEDULES),
  status: oneOf(CONNECTOR_STATUSES),
  has_credentials: flag(),
  last_run_at: nullable(timestamp()),
  last_run_status: nullable(oneOf(RUN_STATUSES)),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Connector = Of<typeof Connector>;

type ConnectorInput = Readonly<Record<string, unknown>>;

/** Takes any object; connector-config.ts and connector-credentials.ts check its members. */
const objectField = (schema: ConnectorInput): Field<ConnectorInput> => ({
  ...textField(1),
  schema: { type: 'object', ...schema },
  read: (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as ConnectorInput)
      : new Refused('invalid', { en: 'an object', tr: 'bir nesne' }),
});

const VALUE = { type: ['string', 'number', 'boolean'] };
const CONFIG_SCHEMA = {
  properties: {
    url: { type: ['string', 'null'], format: 'uri' },
    delimiter: { type: ['string', 'null'], enum: [',', ';', '\t', '|', null] },
    encoding: { type: ['string', 'null'], enum: [...ENCODINGS, null] },
    record_path: { type: ['string', 'null'], examples: ['stok.arac'] },
    sheet: { type: ['string', 'null'], examples: ['Stok'] },
    header_row: { type: ['integer', 'null'], minimum: 0, maximum: MAX_HEADER_ROW, examples: [4] },
    number_format: { type: ['string', 'null'], enum: [...NUMBER_FORMATS, null] },
    mapping: { type: 'object', additionalProperties: TEXT, examples: [{ plate: 'Plaka', brand: 'Marka' }] },
    defaults: { type: 'object', additionalProperties: VALUE },
    value_map: { type: 'object', additionalProperties: { type: 'object', additionalProperties: VALUE } },
  },
  additionalProperties: false,
};
const CREDENTIALS_SCHEMA = {
  properties: { username: TEXT, password: TEXT, token: TEXT, headers: { type: 'object', additionalProperties: TEXT } },
  additionalProperties: false,
  writeOnly: true,
};

export const CONNECTOR_FIELDS = {
  name: required(textField(120)),
  type: required(oneOfField(CONNECTOR_TYPES)),
  transport: required(oneOfField(TRANSPORTS)),
  target: required(oneOfField(IMPORT_TARGETS)),
  config: required(objectField(CONFIG_SCHEMA)),
  key_field: withDefault(oneOfField(KEY_FIELDS), '`external_ref`'),
  schedule: withDefault(oneOfField(SCHEDULES), '`Elle`'),
  status: withDefault(oneOfField(CONNECTOR_STATUSES), '`Aktif`'),
  credentials: nullableField(objectField(CREDENTIALS_SCHEMA)),
} as const;

export const readConnector = (db: Db, id: string): Promise<Connector> =>
  db.one<Connector>(sql`select ${columnsOf(Connector)} from ${own('import_connectors')} where id = ${id} and deleted_at is null`);

export interface StoredConnector {
  readonly id: string;
  readonly name: string;
  readonly type: Connector['type'];
  readonly transport: Connector['transport'];
  readonly target: Connector['target'];
  readonly config: ConnectorConfig;
  readonly key_field: Connector['key_field'];
  readonly schedule: Schedule;
  readonly status: Connector['status'];
  readonly credentials_encrypted: Buffer | null;
}

/** Locked until the write ends, so that two runs cannot start at once and none starts during an edit. */
export const lockConnector = ({ db }: Work, id: string): Promise<StoredConnector> =>
  db.one<StoredConnector>(sql`select id, name, type, transport, target, config, key_field, schedule, status, credentials_encrypted
    from ${own('import_connectors')} where id = ${id} and deleted_at is null for no key update`);

export async function requireImport(db: Db): Promise<void> {
  const { allowed } = await db.one<{ allowed: boolean }>(sql`select "import" as allowed from ${own('accounts')}`);
  if (!allowed) fail('capability_not_enabled', { words: { capability: { en: 'import', tr: 'içe aktarma (import)' } } });
}

export async function requireNoRun(db: Db, id: string): Promise<void> {
  const open = await db.rows(sql`select id from ${own('import_runs')}
    where connector_id = ${id} and status in ('Sırada', 'Çalışıyor')`);
  if (open.length > 0) fail('run_in_progress');
}

export async function addConnector(work: Work, body: CreateBody<typeof CONNECTOR_FIELDS>): Promise<Connector> {
  const { db, now, account } = work;
  await requireImport(db);
  const { name, type, transport, target, key_field = 'external_ref', schedule = 'Elle', status = 'Aktif' } = body;
  const config = readConfig(body.config, null, rulesOf(work, { transport, target, key_field }));
  requireSource(transport, schedule);
  const id = newId(now.getTime());
  const credentials = body.credentials ? sealCredentials(work.keys, id, readCredentials(body.credentials)) : null;
  const next = status === 'Aktif' ? nextRun(schedule, id, now, account.timezone) : null;
  await db.exec(sql`insert into import_connectors (account_id, id, name, type, transport, target, config, key_field, schedule, status,
      credentials_encrypted, next_run_at, created_at, updated_at)
    values (${theAccount}, ${id}, ${name}, ${type}, ${transport}, ${target}, ${JSON.stringify(config)}::json, ${key_field}, ${schedule},
      ${status}, ${credentials}, ${next}, ${now}, ${work.updatedAt()})`);
  const shown = await readConnector(db, id);
  emitConnectorEvent(work, 'created', shown);
  return shown;
}

type ConnectorEdit = Values<typeof CONNECTOR_FIELDS>;

export async function editConnector(work: Work, id: string, body: ConnectorEdit): Promise<Connector> {
  const { db, now, account } = work;
  await requireImport(db);
  const stored = await lockConnector(work, id);
  await requireNoRun(db, id);
  if (body.target !== undefined && body.target !== stored.target) fail('validation_failed', { details: [TARGET_STAYS] });
  const { config: members = {}, credentials: _, ...plain } = body;
  const after = { ...stored, ...plain };
  // The address is dropped when the transport becomes `inline`, because it would be refused there.
  const kept = after.transport === 'inline' ? { ...stored.config, url: null } : stored.config;
  const config = readConfig(members, kept, rulesOf(work, after));
  requireSource(after.transport, after.schedule);
  const credentials = credentialsAfter(work, stored, config, body.credentials);
  const columns = { ...comparable(after), config: JSON.stringify(config), credentials };
  const before = { ...comparable(stored), config: JSON.stringify(stored.config), credentials: stored.credentials_encrypted };
  const changed = Object.keys(changedColumns(before, columns));
  if (changed.length === 0) return readConnector(db, id);
  const shownBefore = await readConnector(db, id);
  const next = after.status === 'Aktif' ? nextRun(after.schedule, id, now, account.timezone) : null;
  await db.exec(sql`update import_connectors set name = ${after.name}, type = ${after.type}, transport = ${after.transport},
      config = ${columns.config}::json, key_field = ${after.key_field}, schedule = ${after.schedule}, status = ${after.status},
      credentials_encrypted = ${credentials}, next_run_at = ${next}, updated_at = ${work.updatedAt()}
    where account_id = ${theAccount} and id = ${id}`);
  const shown = await readConnector(db, id);
  emitConnectorEvent(work, 'updated', shown, shownBefore);
  return shown;
}

/** Its runs stay readable; its credentials are deleted at once. */
export async function removeConnector(work: Work, id: string): Promise<Connector> {
  const { db, now } = work;
  await lockConnector(work, id);
  await requireNoRun(db, id);
  await db.exec(sql`update import_connectors set deleted_at = ${now}, updated_at = ${work.updatedAt()}, status = 'Pasif',
      credentials_encrypted = null, next_run_at = null where account_id = ${theAccount} and id = ${id}`);
  const shown = await db.one<Connector>(sql`select ${columnsOf(Connector)} from ${own('import_connectors')} where id = ${id}`);
  emitConnectorEvent(work, 'deleted', shown);
  return shown;
}

type Rules = Pick<StoredConnector, 'transport' | 'target' | 'key_field'>;

const rulesOf = (work: Work, { transport, target, key_field }: Rules): ConfigRules => ({
  transport,
  target,
  keyField: key_field,
  loopback: work.loopbackTargets,
  context: fieldContext(work.now, work.account.timezone),
});

const comparable = ({ name, type, transport, key_field, schedule, status }: StoredConnector) => ({
  name,
  type,
  transport,
  key_field,
  schedule,
  status,
});

/**
 * Absent: unchanged; null: deleted. Credentials belong to one origin and are deleted when the address moves to another; otherwise
 * everyone who may edit a connector could have them sent to their own server.
 */
function credentialsAfter(
  { keys }: Work,
  stored: StoredConnector,
  config: ConnectorConfig,
  credentials: ConnectorEdit['credentials'],
): Buffer | null {
  if (credentials === null) return null;
  if (credentials !== undefined) return sealCredentials(keys, stored.id, readCredentials(credentials));
  const origin = (url: string | null) => (url === null ? null : new URL(url).origin);
  return origin(config.url) === origin(stored.config.url) ? stored.credentials_encrypted : null;
}

function requireSource(transport: Connector['transport'], schedule: Schedule): void {
  if (schedule === 'Elle' || transport === 'url') return;
  const message = {
    en: 'Only a connector with a URL can have a schedule',
    tr: 'Yalnızca adresi olan bir bağlayıcı kendiliğinden çalışır',
  };
  fail('validation_failed', { details: [{ field: 'schedule', code: 'not_allowed', message }] });
}

const TARGET_STAYS = {
  field: 'target',
  code: 'not_allowed',
  message: { en: 'target cannot change; make another connector', tr: 'target değişemez; başka bir bağlayıcı oluşturun' },
};

const emitConnectorEvent = (work: Work, verb: 'created' | 'updated' | 'deleted', shown: Connector, before?: Connector): void =>
  emitChange(work, { kind: 'import_connector', path: `import/connectors/${shown.id}` }, verb, shown, before);
