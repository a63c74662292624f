// The API types of connectors and runs.

export type { Connector } from '../../../../src/domain/imports/connectors/connector.ts';
export type { ImportRowError as RowError, ImportRun } from '../../../../src/domain/imports/runs/import-run.ts';
export type { FilePreview as Preview } from '../../../../src/panel/imports/import-preview.ts';
