// Feeds in the format of a dealer's other systems, and an importer that runs only when called.
import { type Importer, type ImportParts, startImporter } from '../../src/jobs/run-imports.ts';
import { createLog } from '../../src/kit/log.ts';
import type { TestService } from './service.ts';

export const CAR_MAPPING = {
  plate: 'Plaka',
  brand: 'Marka',
  model: 'Model',
  model_year: 'Model Yılı',
  km: 'KM',
  fuel_type: 'Yakıt',
  transmission: 'Vites',
  body_type: 'Kasa',
  color: 'Renk',
  price: 'Fiyat',
} as const;

/** With Turkish headers and values, without what every vehicle of this dealer has in common. */
export const carConnector = (overrides: Record<string, unknown> = {}, config: Record<string, unknown> = {}) => ({
  name: 'Stok dosyası',
  type: 'csv',
  transport: 'inline',
  target: 'vehicles',
  key_field: 'plate',
  config: {
    mapping: CAR_MAPPING,
    defaults: { city: 'Lefkoşa', currency: 'STG' },
    value_map: { transmission: { Düz: 'Manuel' } },
    ...config,
  },
  ...overrides,
});

const CAR: Readonly<Record<string, unknown>> = {
  Marka: 'Volkswagen',
  Model: 'Golf',
  'Model Yılı': 2018,
  KM: 84_000,
  Yakıt: 'Benzin',
  Vites: 'Düz',
  Kasa: 'Hatchback',
  Renk: 'Gümüş',
  Fiyat: '14500',
};

export const feedCar = (plate: string, overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
  Plaka: plate,
  ...CAR,
  ...overrides,
});

export function csvOf(rows: readonly Record<string, unknown>[], delimiter = ';'): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value: unknown) =>
    /["\r\n;,]/.test(String(value ?? '')) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? '');
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))]
    .map((cells) => cells.map(cell).join(delimiter))
    .join('\n')
    .concat('\n');
}

export const newImporter = (api: TestService, overrides: Partial<ImportParts> = {}): Importer =>
  startImporter({
    writer: api.service.parts.writer,
    clock: api.clock,
    log: createLog('silent'),
    outbound: { loopback: true },
    pollMs: 1_000_000_000,
    pauseRatio: 0,
    ...overrides,
  });
