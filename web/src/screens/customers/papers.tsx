import { Link } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import type { CustomerDetail } from '../../../../src/resources/customers.ts';
import { useTexts } from '../../language.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { useMay } from '../../permissions.ts';
import { openPaper } from '../../records/documents/paper-store.ts';
import { useMayPrint } from '../../records/documents/papers.tsx';
import { useStatementPaper } from '../../records/documents/statement-papers.ts';
import { customerMoneyTexts } from './money-texts.ts';
import { customersTexts } from './texts.ts';

/** What was signed and what is printed for them, each a press away. */
export function CustomerPapers({ customer: { id, balances } }: { readonly customer: CustomerDetail }) {
  const t = useTexts(customersTexts);
  const m = useTexts(customerMoneyTexts);
  const [seesNotes, seesDocuments, mayPrint] = [useMay('promissory-notes:read'), useMay('documents:read'), useMayPrint()];
  const paper = useStatementPaper()(balances.map(({ currency }) => ({ customer_id: id, currency })));
  return (
    <p className="mt-3 mb-0 flex flex-wrap items-center gap-2 empty:hidden">
      {mayPrint && paper && (
        <Button icon={Printer} onClick={() => openPaper(paper)}>
          {m.pdf}
        </Button>
      )}
      {seesDocuments && (
        <Link to="/belgeler" search={{ customer_id: id }} className={buttonLook('quiet')}>
          {t.documents}
        </Link>
      )}
      {seesNotes && (
        <Link to="/senetler" search={{ customer_id: id }} className={buttonLook('quiet')}>
          {t.notes}
        </Link>
      )}
    </p>
  );
}
