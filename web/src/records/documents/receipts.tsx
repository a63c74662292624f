// Receipt numbers are links to the receipt.
import { addressOf } from '../../api.ts';
import { texts, useTexts } from '../../language.ts';
import { cx } from '../../parts/cx.ts';
import type { Collection } from '../sales/sales.ts';
import { previewed, type ShownPaper } from './paper-store.ts';
import { useMayPrint } from './papers.tsx';

export const receiptTexts = texts({
  tr: {
    receipt: 'Makbuz',
    open: 'Makbuzu aç',
    a5: 'Makbuz, A5',
    roll: 'Makbuz, 80 mm',
    openNo: (no: string) => `${no} makbuzunu aç`,
    titleOf: (no: string) => `${no} makbuzu`,
  },
  en: {
    receipt: 'Receipt',
    open: 'Open the receipt',
    a5: 'Receipt, A5',
    roll: 'Receipt, 80 mm',
    openNo: (no: string) => `Open receipt ${no}`,
    titleOf: (no: string) => `Receipt ${no}`,
  },
});

type Received = Pick<Collection, 'id' | 'receipt_no' | 'type' | 'status'>;

/** Money that came or went has one; what only changes the books has none. */
export const hasReceipt = ({ type }: Pick<Collection, 'type'>): boolean =>
  type === 'Tahsilat' || type === 'Kapora' || type === 'İade';

export const receiptAddress = (collectionId: string, size: 'A5' | '80mm' = 'A5'): string =>
  addressOf('GET collections/{collection_id}/receipt.pdf', { params: { collection_id: collectionId }, query: { size } });

/** Shown in the size that was printed last. */
export const receiptPaper = (title: string, collectionId: string): ShownPaper => ({
  title,
  forms: [
    { label: 'A5', href: receiptAddress(collectionId, 'A5') },
    { label: '80 mm', href: receiptAddress(collectionId, '80mm') },
  ],
});

export function ReceiptNumber({ collection }: { readonly collection: Received }) {
  const t = useTexts(receiptTexts);
  const may = useMayPrint();
  const { id, receipt_no, status } = collection;
  const look = cx('tabular font-medium whitespace-nowrap', status === 'İptal Edildi' && 'text-text-2 line-through');
  if (!may || !hasReceipt(collection)) return <span className={look}>{receipt_no}</span>;
  return (
    <a
      href={receiptAddress(id)}
      target="_blank"
      rel="noreferrer"
      aria-label={t.openNo(receipt_no)}
      onClick={(event) => previewed(event, receiptPaper(t.titleOf(receipt_no), id))}
      className={cx(look, 'link')}
    >
      {receipt_no}
    </a>
  );
}
