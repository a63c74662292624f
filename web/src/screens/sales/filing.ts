// Which of the papers that a sale is filed with are there, and which are signed.
import { useQuery } from '@tanstack/react-query';
import { isLive, isRequiredPaper, type SaleDocumentStatus } from '../../../../src/domain/documents/documents-states.ts';
import { useMay } from '../../permissions.ts';
import { type Document, saleDocumentsQuery, templatesQuery } from '../../records/documents/documents.ts';
import type { SaleDetail } from '../../records/sales/sales.ts';

/** What of a sale's papers is there; undefined while it is read. */
export function useFiling(sale: SaleDetail) {
  const mayRead = useMay('documents:read');
  const templates = useQuery({ ...templatesQuery, enabled: mayRead }).data?.items;
  const documents = useQuery({ ...saleDocumentsQuery(sale.id), enabled: mayRead }).data?.items;
  if (templates === undefined || documents === undefined) return undefined;
  const live = documents.filter(isLiveDocument);
  const required = templates.filter(({ code }) => isRequiredPaper(code, sale));
  const missing = required.filter(({ id }) => live.every(({ template_id }) => template_id !== id));
  return {
    live,
    missing: missing.length,
    drafts: live.filter(({ status, signature }) => status === 'Taslak' && signature !== 'Islak'),
    isFiled: missing.length === 0 && live.every(({ status }) => status === 'İmzalandı'),
  };
}

const isLiveDocument = ({ status, superseded_at }: Document): boolean =>
  status !== null && isLive(status as SaleDocumentStatus) && superseded_at === null;

/** Whether the sale's papers are read, or cannot be: what is above the plan depends on them. */
export function useIsFilingRead(sale: SaleDetail): boolean {
  const mayRead = useMay('documents:read');
  const templates = useQuery({ ...templatesQuery, enabled: mayRead });
  const documents = useQuery({ ...saleDocumentsQuery(sale.id), enabled: mayRead });
  return !mayRead || !(templates.isPending || documents.isPending);
}

/** False until it is known. */
export const useIsFiled = (sale: SaleDetail): boolean => useFiling(sale)?.isFiled ?? false;
