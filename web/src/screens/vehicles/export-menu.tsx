// Exports the filtered stock as a file.
import { Download } from 'lucide-react';
import { useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { download, save } from '../../download.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { Menu, MenuItem } from '../../parts/overlay/menu.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { useRole } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { apiFiltersOf, filtersOf, type VehicleSearch } from './search.ts';
import { vehicleWriteTexts } from './write-texts.ts';

/** The API's own files know fewer filters than the list: where one of the others is set, they would hold more than is shown. */
export function ExportMenu({ search }: { readonly search: VehicleSearch }) {
  const w = useTexts(vehicleWriteTexts);
  const p = useTexts(partsTexts);
  const [busy, setBusy] = useState(false);
  const isMasked = !useRole('owner', 'developer', 'finance', 'sales');
  const filters = apiFiltersOf(search);
  const isShown = Object.keys(filters).length === Object.keys(filtersOf(search)).length;
  const make = async (format: 'csv' | 'json') => {
    const made = await call('GET v1/vehicles/export', { query: { ...filters, format } });
    if (made.format === 'csv') save(new Blob([made.content], { type: made.content_type }), made.file_name);
    else save(new Blob([JSON.stringify(made.rows, null, 2)], { type: 'application/json' }), 'vehicles.json');
    notify({ title: w.exported(made.row_count) });
  };
  const run = async (format: 'xlsx' | 'csv' | 'json') => {
    setBusy(true);
    try {
      await (format === 'xlsx' ? download('GET vehicles/export.xlsx', { query: filtersOf(search) }) : make(format));
    } catch (error) {
      notify({ title: w.exportFailed, text: error instanceof ApiError ? error.message : p.offline, failed: true });
    } finally {
      setBusy(false);
    }
  };
  if (isMasked && !isShown) return null;
  return (
    <Menu
      trigger={
        <Button icon={Download} busy={busy}>
          {w.export}
        </Button>
      }
    >
      {!isMasked && <MenuItem onSelect={() => void run('xlsx')}>{w.exportXlsx}</MenuItem>}
      {isShown && <MenuItem onSelect={() => void run('csv')}>{w.exportCsv}</MenuItem>}
      {isShown && <MenuItem onSelect={() => void run('json')}>{w.exportJson}</MenuItem>}
    </Menu>
  );
}
