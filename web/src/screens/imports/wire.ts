// Connectors and runs as they go over the wire.
import type { Target } from './fields.ts';

export type FeedType = 'csv' | 'json' | 'xml';

export interface Connector {
  readonly id: string;
  readonly name: string;
  readonly type: FeedType;
  readonly transport: 'url' | 'inline';
  readonly target: Target;
  readonly config: {
    readonly url: string | null;
    readonly delimiter: string | null;
    readonly encoding: string | null;
    readonly record_path: string | null;
    readonly mapping: Readonly<Record<string, string>>;
    readonly defaults: Readonly<Record<string, unknown>>;
    readonly value_map: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
  readonly key_field: string;
  readonly schedule: 'Elle' | 'Saatlik' | 'Günlük';
  readonly status: 'Aktif' | 'Pasif';
  readonly has_credentials: boolean;
  readonly last_run_at: string | null;
  readonly last_run_status: ImportRun['status'] | null;
}

export interface ImportRun {
  readonly id: string;
  readonly connector_id: string;
  readonly trigger: 'Elle' | 'Zamanlı';
  readonly dry_run: boolean;
  readonly status: 'Sırada' | 'Çalışıyor' | 'Tamamlandı' | 'Kısmen Tamamlandı' | 'Başarısız';
  readonly total_rows: number;
  readonly created_count: number;
  readonly updated_count: number;
  readonly unchanged_count: number;
  readonly error_count: number;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
  readonly created_at: string;
}

export interface RowError {
  readonly id: string;
  readonly run_id: string;
  readonly row_number: number;
  readonly key: string | null;
  readonly field: string | null;
  readonly code: string;
  readonly message: string;
}

export interface Preview {
  readonly type: FeedType;
  readonly delimiter: string | null;
  readonly encoding: string;
  readonly record_path: string | null;
  readonly columns: readonly { readonly name: string; readonly samples: readonly string[]; readonly values: readonly string[] }[];
  readonly rows_seen: number;
}
