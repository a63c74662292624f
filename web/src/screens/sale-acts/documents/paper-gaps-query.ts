import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { PaperGap } from '../../../../../src/domain/documents/paper-gaps.ts';
import { call } from '../../../api.ts';
import { useMay } from '../../../permissions.ts';

export const paperGapsKey = (saleId: string) => ['sale', 'paper-gaps', saleId] as const;

/** What a sale's papers would print as an empty line. Never fetched for those who may not read its papers. */
export function usePaperGaps(saleId: string): UseQueryResult<readonly PaperGap[]> {
  const may = useMay('documents:read');
  return useQuery({
    queryKey: paperGapsKey(saleId),
    queryFn: ({ signal }) => call('GET sales/{sale_id}/paper-gaps', { params: { sale_id: saleId }, signal }),
    enabled: may,
    staleTime: 0,
  });
}
