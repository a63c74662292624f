// Connectors and runs as they go over the wire, by the server's own types.
import type { Connector as Sent } from '../../../../src/domain/imports/connector.ts';
import type { ConnectorConfig } from '../../../../src/domain/imports/connector-config.ts';

export type { ImportRowError as RowError, ImportRun } from '../../../../src/domain/imports/import-run.ts';
export type { ImportPreview as Preview } from '../../../../src/panel/import-preview.ts';

/** The maps within a connector are any JSON to the API's schema; what they hold stands in its rules. */
export type Connector = Omit<Sent, 'config'> & { readonly config: ConnectorConfig };
