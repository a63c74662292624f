// Connectors and runs as they go over the wire, by the server's own types.
import type { Connector as Sent } from '../../../../src/domain/connector.ts';
import type { ConnectorConfig } from '../../../../src/domain/connector-config.ts';

export type { ImportRowError as RowError, ImportRun } from '../../../../src/domain/import-run.ts';

/** The maps within a connector are any JSON to the API's schema; what they hold stands in its rules. */
export type Connector = Omit<Sent, 'config'> & { readonly config: ConnectorConfig };

export interface Preview {
  readonly type: Sent['type'];
  readonly delimiter: string | null;
  readonly encoding: string;
  readonly record_path: string | null;
  readonly columns: readonly { readonly name: string; readonly samples: readonly string[]; readonly values: readonly string[] }[];
  readonly rows_seen: number;
}
