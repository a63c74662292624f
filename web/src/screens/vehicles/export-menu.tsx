// Exports the filtered stock as a file.
import { Download } from 'lucide-react';
import { useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { Menu, MenuItem } from '../../parts/menu.tsx';
import { notify } from '../../parts/toast.tsx';
import { partsTexts } from '../../texts/parts.ts';
import type { filtersOf } from './search.ts';
import { vehicleWriteTexts } from './write-texts.ts';

export function ExportMenu({ filters }: { readonly filters: ReturnType<typeof filtersOf> }) {
  const w = useTexts(vehicleWriteTexts);
  const p = useTexts(partsTexts);
  const [busy, setBusy] = useState(false);
  const run = async (format: 'csv' | 'json') => {
    setBusy(true);
    try {
      const made = await call('GET v1/vehicles/export', { query: { ...filters, format } });
      if (made.format === 'csv') save(made.content, made.content_type, made.file_name);
      else save(JSON.stringify(made.rows, null, 2), 'application/json', 'vehicles.json');
      notify({ title: w.exported(made.row_count) });
    } catch (error) {
      notify({ title: w.exportFailed, text: error instanceof ApiError ? error.message : p.offline, failed: true });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu
      trigger={
        <Button icon={Download} busy={busy}>
          {w.export}
        </Button>
      }
    >
      <MenuItem onSelect={() => void run('csv')}>{w.exportCsv}</MenuItem>
      <MenuItem onSelect={() => void run('json')}>{w.exportJson}</MenuItem>
    </Menu>
  );
}

function save(content: string, type: string, name: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Revoked later, because the browser reads the URL asynchronously.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
