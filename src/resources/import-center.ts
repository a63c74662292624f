// Connectors that bring vehicles and customers in from elsewhere, and their runs. Kept from every key: connector credentials and
// the raw values of a row that failed.
import { del, get, patch, post, resource } from '../kit/endpoint.ts';

export const importCenter = resource('Import center', 'İçe aktarma merkezi', [
  get('import/connectors', 'import:read', 'read', 'Yakında', ['List import connectors', 'Bağlayıcıları listele']),
  post('import/connectors', 'import:write', 'sensitive', 'Yakında', ['Add an import connector', 'Bağlayıcı ekle']),
  get('import/connectors/{connector_id}', 'import:read', 'read', 'Yakında', ['Read an import connector', 'Bağlayıcıyı getir']),
  patch('import/connectors/{connector_id}', 'import:write', 'sensitive', 'Yakında', [
    'Edit an import connector',
    'Bağlayıcıyı düzenle',
  ]),
  del('import/connectors/{connector_id}', 'import:write', 'destructive', 'Yakında', [
    'Delete an import connector',
    'Bağlayıcıyı sil',
  ]),
  post('import/connectors/{connector_id}/run', 'import:write', 'write', 'Yakında', [
    'Run an import now',
    'İçe aktarmayı şimdi başlat',
  ]),
  get('import/runs', 'import:read', 'read', 'Yakında', ['List import runs', 'İçe aktarmaları listele']),
  get('import/runs/{run_id}', 'import:read', 'read', 'Yakında', ['Read an import run', 'İçe aktarmanın durumunu getir']),
  get('import/runs/{run_id}/errors', 'import:read', 'read', 'Yakında', [
    "List an import run's row errors",
    'İçe aktarmanın satır hatalarını listele',
  ]),
]);
