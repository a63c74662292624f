// The API types of connectors and runs.

export type { Connector } from '../../../../src/domain/imports/connectors/connector.ts';
export type { ImportPreview as Preview } from '../../../../src/domain/imports/feeds/source-preview.ts';
export type { ImportRowError as RowError, ImportRun } from '../../../../src/domain/imports/runs/import-run.ts';
