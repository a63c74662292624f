// A list as a file: all that the filters choose, for Excel or as CSV, for those who see names whole.
import { Download } from 'lucide-react';
import { useState } from 'react';
import type { ListName } from '../../../src/domain/records/list-columns.ts';
import { ApiError } from '../api.ts';
import { download } from '../download.ts';
import { texts, useTexts } from '../language.ts';
import { Button } from '../parts/button.tsx';
import { Menu, MenuItem } from '../parts/overlay/menu.tsx';
import { notify } from '../parts/overlay/toast.tsx';
import { useRole } from '../session.ts';
import { partsTexts } from '../texts/parts.ts';

const listFilesTexts = texts({
  tr: { export: 'Dışa aktar', xlsx: 'Excel (XLSX)', csv: 'CSV', failed: 'Dosya hazırlanamadı' },
  en: { export: 'Export', xlsx: 'Excel (XLSX)', csv: 'CSV', failed: 'The file could not be made' },
});

const FORMS = ['xlsx', 'csv'] as const;
type Form = (typeof FORMS)[number];

interface MenuProps {
  readonly make: (form: Form) => Promise<void>;
}

/** The menu alone, for lists with addresses of their own. */
export function FileMenu({ make }: MenuProps) {
  const t = useTexts(listFilesTexts);
  const p = useTexts(partsTexts);
  const [busy, setBusy] = useState(false);
  const run = async (form: Form) => {
    setBusy(true);
    try {
      await make(form);
    } catch (error) {
      notify({ title: t.failed, text: error instanceof ApiError ? error.message : p.offline, failed: true });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu
      trigger={
        <Button icon={Download} busy={busy}>
          {t.export}
        </Button>
      }
    >
      {FORMS.map((form) => (
        <MenuItem key={form} onSelect={() => void run(form)}>
          {t[form]}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** Their totals are turnover, so a salesperson gets no file of them. */
const OFFICE_LISTS: readonly ListName[] = ['collections', 'promissory-notes', 'expenses'];

interface Props {
  /** The stock has an endpoint of its own. */
  readonly list: Exclude<ListName, 'vehicles'>;
  /** The address's own filters, which are the API's. */
  readonly filters?: Readonly<Record<string, string | undefined>>;
}

export function ListFiles({ list, filters = {} }: Props) {
  const isMasked = useRole('viewer');
  const isSeller = useRole('sales');
  const query = Object.fromEntries(Object.entries(filters).filter(([, value]) => value));
  return isMasked || (isSeller && OFFICE_LISTS.includes(list)) ? null : (
    <FileMenu make={(form) => download(`GET lists/${list}.${form}`, { query })} />
  );
}
