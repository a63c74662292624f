import { useQueryClient } from '@tanstack/react-query';
import type { EnquiryDetail } from '../../../../src/domain/enquiries/enquiry-list.ts';

/** Shows the reply of a write, and reads lists again. */
export function useEnquiryChanged(): (saved: EnquiryDetail) => void {
  const client = useQueryClient();
  return (saved) => {
    client.setQueryData(['enquiry', saved.id], saved);
    client.invalidateQueries({ queryKey: ['enquiries'] });
    client.invalidateQueries({ queryKey: ['tasks'] });
  };
}
