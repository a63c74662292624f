import { upload } from '../../upload.ts';

/** True once the server has it. */
export async function sendReceipt(requestId: string, file: File): Promise<true> {
  const form = new FormData();
  form.append('file', file);
  await upload('POST wallet/topup-requests/{request_id}/receipts', { params: { request_id: requestId }, form });
  return true;
}
