// A report as a workbook and as a paper, for those who see names whole. What shows cost or debtors asks for the password again.
import { Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../api.ts';
import { download } from '../../download.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { notify } from '../../parts/toast.tsx';
import { useRole } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { reportsTexts } from './texts.ts';

interface ButtonsProps {
  /** Downloads the file in this form. */
  readonly make: (form: 'xlsx' | 'pdf') => Promise<void>;
}

export function FileButtons({ make }: ButtonsProps) {
  const t = useTexts(reportsTexts);
  const p = useTexts(partsTexts);
  const [busy, setBusy] = useState<'xlsx' | 'pdf'>();
  if (!useRole('owner', 'finance', 'sales')) return null;
  const run = async (form: 'xlsx' | 'pdf') => {
    setBusy(form);
    try {
      await make(form);
    } catch (error) {
      notify({ title: t.fileFailed, text: error instanceof ApiError ? error.message : p.offline, failed: true });
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <div className="mb-4 flex flex-wrap gap-2">
      <Button icon={Download} busy={busy === 'xlsx'} onClick={() => void run('xlsx')}>
        {t.xlsx}
      </Button>
      <Button icon={Printer} busy={busy === 'pdf'} onClick={() => void run('pdf')}>
        {t.pdf}
      </Button>
    </div>
  );
}

type FixedQuery = NonNullable<Parameters<typeof download<'GET reports/report.xlsx'>>[1]['query']>;
export const ReportFiles = ({ query }: { readonly query: FixedQuery }) => (
  <FileButtons make={(form) => download(`GET reports/report.${form}`, { query })} />
);

type CustomQuery = NonNullable<Parameters<typeof download<'GET custom-report/report.xlsx'>>[1]['query']>;
export const CustomFiles = ({ query }: { readonly query: CustomQuery }) => (
  <FileButtons make={(form) => download(`GET custom-report/report.${form}`, { query })} />
);
