// A report as CSV, as a workbook and as a paper, for those who see names whole. What shows cost or debtors asks for the password again.
import { Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../api.ts';
import { download } from '../../download.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { useRole } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { reportsTexts } from './texts.ts';

type Form = 'csv' | 'xlsx' | 'pdf';

/** Files are for people who see unmasked names; failures are shown. */
function useMaking(make: (form: Form) => Promise<void>) {
  const t = useTexts(reportsTexts);
  const p = useTexts(partsTexts);
  const [busy, setBusy] = useState<Form>();
  const isOffered = useRole('owner', 'finance', 'sales');
  const run = async (form: Form) => {
    setBusy(form);
    try {
      await make(form);
    } catch (error) {
      notify({ title: t.fileFailed, text: error instanceof ApiError ? error.message : p.offline, failed: true });
    } finally {
      setBusy(undefined);
    }
  };
  return { isOffered, busy, run };
}

interface CsvProps {
  readonly make: () => Promise<void>;
}

export function CsvButton({ make }: CsvProps) {
  const t = useTexts(reportsTexts);
  const { isOffered, busy, run } = useMaking(make);
  return isOffered ? (
    <Button busy={busy === 'csv'} onClick={() => void run('csv')}>
      {t.csv}
    </Button>
  ) : null;
}

interface ButtonsProps {
  /** Downloads the file in this form. */
  readonly make: (form: Form) => Promise<void>;
  readonly forms: readonly Form[];
}

const ICONS = { csv: Download, xlsx: Download, pdf: Printer } as const;

function FileButtons({ make, forms }: ButtonsProps) {
  const t = useTexts(reportsTexts);
  const { isOffered, busy, run } = useMaking(make);
  return isOffered ? (
    <div className="mb-4 flex flex-wrap gap-2">
      {forms.map((form) => (
        <Button key={form} icon={ICONS[form]} busy={busy === form} onClick={() => void run(form)}>
          {t[form]}
        </Button>
      ))}
    </div>
  ) : null;
}

type FixedQuery = NonNullable<Parameters<typeof download<'GET reports/report.xlsx'>>[1]['query']>;
/** Each table has its own CSV link. */
export const ReportFiles = ({ query }: { readonly query: FixedQuery }) => (
  <FileButtons forms={['xlsx', 'pdf']} make={(form) => download(`GET reports/report.${form}`, { query })} />
);

type CustomQuery = NonNullable<Parameters<typeof download<'GET custom-report/report.xlsx'>>[1]['query']>;
export const CustomFiles = ({ query }: { readonly query: CustomQuery }) => (
  <FileButtons forms={['csv', 'xlsx', 'pdf']} make={(form) => download(`GET custom-report/report.${form}`, { query })} />
);
