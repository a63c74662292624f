// The API types of connectors and runs.

export type { Connector } from '../../../../src/domain/imports/connector.ts';
export type { ImportRowError as RowError, ImportRun } from '../../../../src/domain/imports/import-run.ts';
export type { ImportPreview as Preview } from '../../../../src/domain/imports/source-preview.ts';
